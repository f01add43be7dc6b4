#include "islands/run_sections.hpp"

#include <utility>

#include "src/core/bytes.hpp"

namespace atl {

namespace {

constexpr std::string_view island_prefix = "island-";
constexpr const char* history_name = "history";
constexpr std::uint32_t history_version = 1;
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

Section history_section(std::span<const HistoryRow> history) {
  ByteWriter out;
  out.put(static_cast<std::uint64_t>(history.size()));
  for (const HistoryRow& row : history) put(out, row);
  return {history_name, history_version, std::move(out).take()};
}

std::vector<HistoryRow> history_of(const RunState& state) {
  ByteReader in(state.section(history_name, history_version));
  std::vector<HistoryRow> history;
  for (std::size_t left = in.get_count(least_row_bytes); left > 0; --left) {
    HistoryRow row = get_row(in);
    if (!history.empty() && !precedes(history.back(), row)) {
      throw BadBytes("the history is out of order");
    }
    history.push_back(std::move(row));
  }
  in.expect_end();
  return history;
}

}  // namespace atl
