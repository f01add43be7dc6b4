#include "islands/archipelago/run_sections.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "src/core/bytes.hpp"

namespace atl {
namespace {

constexpr std::string_view island_prefix = "island-";
constexpr const char* history_name = "history";
// Names of the sections of some islands, in a part of a checkpoint, followed by the number of the
// first.
constexpr std::string_view part_results_prefix = "results-", part_history_prefix = "history-";
constexpr std::uint32_t version_with_all_rows = 1, history_version = 2;
constexpr std::uint32_t part_history_version = 1;
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

std::optional<std::uint32_t> island_of_section(std::string_view name) {
  if (!name.starts_with(island_prefix)) return std::nullopt;
  std::uint32_t island = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data() + island_prefix.size(), end, island);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return island;
}

Section section_of(std::uint32_t number, const Island& island) {
  ByteWriter out;
  island.save(out);
  return {island_section(number), island.version(), std::move(out).take()};
}

Section section_of(const Results& results, std::string name) {
  ByteWriter out;
  results.save(out);
  return {std::move(name), results.version(), std::move(out).take()};
}

std::string part_results_section(std::uint32_t first) {
  return std::string(part_results_prefix) + std::to_string(first);
}

bool is_results_section(std::string_view name) {
  return name == results_section || name.starts_with(part_results_prefix);
}

std::vector<std::span<const std::byte>> results_of(const RunState& state, std::uint32_t version) {
  std::vector<std::span<const std::byte>> all;
  for (const Section& section : state.sections) {
    if (is_results_section(section.name)) all.push_back(state.section(section.name, version));
  }
  return all;
}

void merge_results(const RunState& state, Results& results) {
  for (const auto bytes : results_of(state, results.version())) {
    ByteReader in(bytes);
    results.merge(in);
    in.expect_end();
  }
}

Section history_section(const History& history) {
  ByteWriter out;
  put(out, history.kept);
  put(out, history.last);
  return {history_name, history_version, std::move(out).take()};
}

bool has_history(const RunState& state) {
  return std::any_of(state.sections.begin(), state.sections.end(),
                     [](const Section& section) { return section.name == history_name; });
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

Section section_of(std::span<const IslandHistory> islands) {
  ByteWriter out;
  out.put(static_cast<std::uint64_t>(islands.size()));
  for (const IslandHistory& island : islands) {
    put(out, island.last);
    out.put_all(std::span(island.best.best()));
  }
  return {std::string(part_history_prefix) + std::to_string(islands.front().last.island),
          part_history_version, std::move(out).take()};
}

std::vector<IslandHistory> island_histories_of(const RunState& state) {
  std::vector<IslandHistory> islands;
  for (const Section& section : state.sections) {
    if (!section.name.starts_with(part_history_prefix)) continue;
    ByteReader in(state.section(section.name, part_history_version));
    for (std::size_t left = in.get_count(least_row_bytes); left > 0; --left) {
      HistoryRow last = get_row(in);
      islands.push_back({std::move(last), HistoryBest(in.get_all<double>())});
      require_bytes(islands.back().best.best().size() == islands.back().last.best.size(),
                    "an island's best values are not those of its measures");
    }
    in.expect_end();
  }
  const auto before = [](const IslandHistory& a, const IslandHistory& b) {
    return a.last.island < b.last.island;
  };
  std::sort(islands.begin(), islands.end(), before);
  const auto twice = std::adjacent_find(
      islands.begin(), islands.end(),
      [&](const IslandHistory& a, const IslandHistory& b) { return !before(a, b); });
  require_bytes(twice == islands.end(), "the history of an island is there twice");
  return islands;
}

Bytes encode(std::span<const HistoryRow> rows) {
  ByteWriter out;
  for (const HistoryRow& row : rows) put(out, row);
  return std::move(out).take();
}

std::vector<HistoryRow> decode_history_rows(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  std::vector<HistoryRow> rows;
  while (in.left() != 0) rows.push_back(get_row(in));
  return rows;
}

}  // namespace atl
