#include "islands/run_sections.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "src/core/bytes.hpp"

namespace atl {

namespace {

constexpr std::string_view island_prefix = "island-";
constexpr const char* history_name = "history";
constexpr std::uint32_t version_with_all_rows = 1, history_version = 2;
constexpr std::size_t least_row_bytes = 4 * sizeof(std::uint64_t);

void put(ByteWriter& out, const HistoryRow& row) {
  out.put(row.generation);
  out.put(row.island);
  out.put(row.evaluated);
  out.put(row.feasible);
  out.put_all(std::span<const double>(row.best));
  out.put_all(std::span<const double>(row.mean));
  out.put(row.mean_comparisons);
}

HistoryRow get_row(ByteReader& in) {
  HistoryRow row;
  row.generation = in.get<std::uint32_t>();
  row.island = in.get<std::uint32_t>();
  row.evaluated = in.get<std::uint64_t>();
  row.feasible = in.get<std::uint64_t>();
  row.best = in.get_all<double>();
  row.mean = in.get_all<double>();
  row.mean_comparisons = in.get<double>();
  if (row.best.size() != row.mean.size()) {
    throw BadBytes("a history row has more best than mean values, or fewer");
  }
  return row;
}

void put(ByteWriter& out, std::span<const HistoryRow> rows) {
  out.put(static_cast<std::uint64_t>(rows.size()));
  for (const HistoryRow& row : rows) put(out, row);
}

/// @param before  the order in which they must be
template <typename Before>
std::vector<HistoryRow> get_rows(ByteReader& in, const Before& before) {
  std::vector<HistoryRow> rows;
  for (std::size_t left = in.get_count(least_row_bytes); left > 0; --left) {
    HistoryRow row = get_row(in);
    if (!rows.empty() && !before(rows.back(), row)) {
      throw BadBytes("the history is out of order");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

bool of_lower_island(const HistoryRow& a, const HistoryRow& b) noexcept {
  return a.island < b.island;
}

/// @param rows  by generation, then island
std::vector<HistoryRow> last_rows(std::span<const HistoryRow> rows) {
  std::vector<HistoryRow> last;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const auto place = std::lower_bound(last.begin(), last.end(), *row, of_lower_island);
    if (place == last.end() || place->island != row->island) last.insert(place, *row);
  }
  return last;
}

}  // namespace

std::string island_section(std::uint32_t island) {
  return std::string(island_prefix) + std::to_string(island);
}

bool is_island_section(std::string_view name) {
  return name.starts_with(island_prefix);
}

Section section_of(std::uint32_t number, const Island& island) {
  ByteWriter out;
  island.save(out);
  return {island_section(number), island.version(), std::move(out).take()};
}

Section section_of(const Results& results) {
  ByteWriter out;
  results.save(out);
  return {results_section, results.version(), std::move(out).take()};
}

Section history_section(const History& history) {
  ByteWriter out;
  put(out, history.kept);
  put(out, history.last);
  return {history_name, history_version, std::move(out).take()};
}

History history_of(const RunState& state) {
  const bool has_all =
      std::any_of(state.sections.begin(), state.sections.end(), [](const Section& section) {
        return section.name == history_name && section.version == version_with_all_rows;
      });
  ByteReader in(state.section(history_name, has_all ? version_with_all_rows : history_version));
  History history;
  history.kept = get_rows(in, precedes);
  if (has_all) {
    history.last = last_rows(history.kept);
  } else {
    history.last = get_rows(in, of_lower_island);
  }
  in.expect_end();
  return history;
}

}  // namespace atl
