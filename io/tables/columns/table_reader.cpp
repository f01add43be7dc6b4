#include "io/tables/columns/table_reader.hpp"

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {

void throw_too_many_columns(const std::string& file, std::uint64_t memory) {
  throw BadData(file,
                "has so many columns, or labels declared for them, that they take more than " +
                    std::to_string(memory >> 20) +
                    " MiB of memory, whatever the rows hold; is the delimiter right? If so: "
                    "atoll import --memory-limit");
}

void report_repeated_names(const TableReader& reader, const std::string& file,
                           const Report& report) {
  const std::vector<std::uint64_t> lines = reader.lines_of_repeated_names();
  if (lines.empty()) return;
  std::vector<std::string> numbers;
  numbers.reserve(lines.size());
  for (const std::uint64_t line : lines) numbers.push_back(std::to_string(line));
  report(Severity::warning, file + ": left out " + (lines.size() == 1 ? "line " : "lines ") +
                                listed(numbers) +
                                ", as the names of the columns are repeated there");
}

}  // namespace atl::io
