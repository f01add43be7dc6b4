#include "src/bench/bench_data.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

#include "src/generate/poker.hpp"
#include "src/run/data/run_data.hpp"

namespace atl {
namespace {

Dataset generate(const RowSource& source, std::uint64_t rows) {
  constexpr std::uint32_t partition_rows = 65536;
  const auto attributes = source.attributes();
  DatasetBuilder builder({attributes.begin(), attributes.end()}, partition_rows);
  std::vector<std::uint32_t> row(attributes.size());
  for (std::uint64_t first = 0; first < rows; first += partition_rows) {
    const std::uint64_t count = std::min<std::uint64_t>(partition_rows, rows - first);
    std::vector<std::vector<std::uint32_t>> columns(attributes.size());
    for (std::uint64_t r = 0; r < count; ++r) {
      source.make_row(first + r, row);
      for (std::size_t a = 0; a < row.size(); ++a) columns[a].push_back(row[a]);
    }
    builder.append(count,
                   std::vector<std::span<const std::uint32_t>>(columns.begin(), columns.end()));
  }
  return builder.finish({});
}

}  // namespace

std::optional<Dataset> bench_data(const std::string& name, const std::string& file,
                                  std::uint64_t rows, const std::string& folder,
                                  const Report& report) {
  if (name == "poker") return generate(PokerSource(1), rows);
  const auto path = std::filesystem::path(folder) / file;
  if (folder.empty() || file.empty() || !std::filesystem::exists(path)) return {};
  return read_data(path.string(), {}, report);
}

}  // namespace atl
