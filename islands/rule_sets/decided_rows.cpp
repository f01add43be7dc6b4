#include "islands/rule_sets/decided_rows.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace atl {

DecidedRows::DecidedRows(std::span<const std::uint64_t> counts, std::uint32_t folds,
                         std::uint32_t classes) {
  const std::size_t width = std::size_t{folds} * classes;
  for (std::size_t first = 0; first < counts.size(); first += width) {
    for (std::uint32_t place = 0; place < width; ++place)
      add(place, counts[first + std::size_t{place} % folds * classes + place / folds]);
    end_rule();
  }
}

void DecidedRows::add(std::uint32_t place, std::uint64_t rows) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  for (; rows != 0; rows -= std::min(rows, most))
    cells_.push_back({place, static_cast<std::uint32_t>(std::min(rows, most))});
}

std::uint64_t DecidedRows::rows() const noexcept {
  std::uint64_t sum = 0;
  for (const Cell& cell : cells_) sum += cell.rows;
  return sum;
}

void DecidedRows::join_last() {
  const auto of_last = of(size() - 1), before = of(size() - 2);
  std::vector<Cell> both;
  std::merge(before.begin(), before.end(), of_last.begin(), of_last.end(), std::back_inserter(both),
             [](const Cell& a, const Cell& b) { return a.place < b.place; });
  cells_.resize(begin(size() - 2));
  for (std::size_t i = 0; i < both.size();) {
    const std::uint32_t place = both[i].place;
    std::uint64_t rows = 0;
    for (; i < both.size() && both[i].place == place; ++i) rows += both[i].rows;
    add(place, rows);
  }
  ends_.pop_back();
  ends_.back() = static_cast<std::uint32_t>(cells_.size());
}

void DecidedRows::shrink() {
  cells_.shrink_to_fit();
  ends_.shrink_to_fit();
}

void DecidedRows::save(ByteWriter& out) const {
  std::vector<std::uint32_t> cells;
  for (const Cell& cell : cells_) cells.insert(cells.end(), {cell.place, cell.rows});
  out.put_all(std::span<const std::uint32_t>(cells));
  out.put_all(std::span<const std::uint32_t>(ends_));
}

void DecidedRows::load(ByteReader& in, std::uint32_t places) {
  const auto cells = in.get_all<std::uint32_t>();
  ends_ = in.get_all<std::uint32_t>();
  require_bytes(cells.size() % 2 == 0 && !ends_.empty() && ends_.back() == cells.size() / 2 &&
                    std::is_sorted(ends_.begin(), ends_.end()),
                "the counts of a list do not fit its rules");
  cells_.clear();
  for (std::size_t i = 0; i < cells.size(); i += 2) cells_.push_back({cells[i], cells[i + 1]});
  for (std::size_t rule = 0; rule < ends_.size(); ++rule) {
    const auto its = of(rule);
    for (std::size_t i = 0; i < its.size(); ++i) {
      require_bytes(
          its[i].place < places && its[i].rows != 0 && (i == 0 || its[i - 1].place <= its[i].place),
          "the counts of a list are malformed");
    }
  }
}

bool operator==(const DecidedRows& a, const DecidedRows& b) noexcept {
  const auto same = [](const DecidedRows::Cell& c, const DecidedRows::Cell& d) {
    return c.place == d.place && c.rows == d.rows;
  };
  return a.ends_ == b.ends_ &&
         std::equal(a.cells_.begin(), a.cells_.end(), b.cells_.begin(), b.cells_.end(), same);
}

}  // namespace atl
