#include "io/transactions/probability_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "io/transactions/line_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

/// Where the column is. @throws UsageError if there is none of the name, BadData if there are two
std::size_t place_of(const std::vector<DeclaredColumn>& columns, const std::string& name,
                     const std::string& column) {
  const auto named = [&](const DeclaredColumn& one) { return one.name == column; };
  const auto found = std::find_if(columns.begin(), columns.end(), named);
  if (found == columns.end()) {
    std::vector<std::string> names;
    for (const DeclaredColumn& one : columns) names.push_back(one.name);
    throw UsageError("--probability-column: " + name + " has no column " + in_quotes(column) +
                     suggestion(column, names));
  }
  if (std::find_if(found + 1, columns.end(), named) != columns.end()) {
    throw BadData(name, "two columns have the name " + in_quotes(column));
  }
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace

std::vector<double> read_probability_column(TableReader& table, const std::string& name,
                                            const std::string& column, DecimalMark decimal) {
  const std::size_t columns = table.columns().size();
  const std::size_t place = place_of(table.columns(), name, column);
  NumberForm form;
  if (decimal == DecimalMark::comma) form = {.plain = false, .decimal = ','};
  std::vector<double> probabilities;
  RowBlock block;
  while (table.next(block)) {
    for (std::size_t row = 0; row < block.rows; ++row) {
      const std::string_view cell = block.fields[row * columns + place];
      const std::optional<double> value = form.read(cell);
      if (!is_probability(value)) {
        throw BadCell(name, block.lines[row], place + 1, std::string(cell.substr(0, 100)),
                      expected_probability);
      }
      probabilities.push_back(*value);
    }
  }
  return probabilities;
}

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
    if (!is_probability(value)) {
      throw BadCell(name, number, begin + 1, std::string(text), expected_probability);
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
