#include "io/transactions/probability_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "io/transactions/line_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {

std::vector<double> read_probabilities(std::unique_ptr<TextSource> source, const std::string& name,
                                       std::uint64_t count) {
  std::vector<double> probabilities;
  const auto read_line = [&](std::string_view line, std::uint64_t number) {
    if (number > count) {
      throw BadCell(name, number, 1, std::string(line),
                    "the end, as there are " + counted(count, "transaction"));
    }
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const std::size_t end = line.find_last_not_of(" \t");
    const std::string_view text =
        begin == line.size() ? std::string_view() : line.substr(begin, end + 1 - begin);
    const auto value = parse_number(text);
    if (!value || !(*value > 0 && *value <= 1)) {
      throw BadCell(name, number, begin + 1, std::string(text),
                    "a probability, above 0 and at most 1");
    }
    probabilities.push_back(*value);
  };
  for_each_line(std::move(source), name, read_line);
  if (probabilities.size() < count) {
    throw BadCell(name, probabilities.size() + 1, 1, "the end",
                  "the probability of transaction " + std::to_string(probabilities.size() + 1) +
                      " of " + std::to_string(count));
  }
  return probabilities;
}

}  // namespace atl::io
