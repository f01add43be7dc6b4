#include "src/results/written/history.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

namespace atl {
namespace {

/// Rows of all islands after which the automatic choice takes half as many generations.
constexpr std::uint64_t most_rows = 1'000'000;

}  // namespace

HistoryThinning::HistoryThinning(std::uint32_t every, std::uint32_t islands,
                                 std::optional<std::uint32_t> generations)
    : every_(every) {
  if (every != 0) return;
  if (generations) {
    const std::uint64_t rows = std::uint64_t{islands} * *generations;
    every_ = std::bit_ceil(std::max<std::uint64_t>((rows + most_rows - 1) / most_rows, 1));
    return;
  }
  every_ = 1;
  rows_of_phase_ = std::max<std::uint64_t>(most_rows / islands, 1);
}

HistoryThinning::Phase HistoryThinning::phase_of(std::uint32_t generation) const noexcept {
  Phase phase{0, every_};
  while (rows_of_phase_ != 0 && generation - phase.first >= rows_of_phase_ * phase.every) {
    phase.first += rows_of_phase_ * phase.every;
    phase.every *= 2;
  }
  return phase;
}

bool HistoryThinning::keeps(std::uint32_t generation) const noexcept {
  const Phase phase = phase_of(generation);
  return (generation - phase.first) % phase.every == 0;
}

std::uint64_t HistoryThinning::kept_up_to(std::uint32_t generation) const noexcept {
  const Phase phase = phase_of(generation);
  const auto before = static_cast<std::uint64_t>(std::countr_zero(phase.every / every_));
  return before * rows_of_phase_ + (generation - phase.first) / phase.every + 1;
}

bool HistoryBest::improves(const HistoryRow& row) {
  best_.resize(row.best.size(), std::nan(""));
  bool improved = false;
  for (std::size_t m = 0; m < best_.size(); ++m) {
    if (std::isnan(row.best[m]) || best_[m] >= row.best[m]) continue;
    best_[m] = row.best[m];
    improved = true;
  }
  return improved;
}

std::vector<HistoryRow> History::rows() const {
  std::vector<HistoryRow> all = kept;
  std::vector<HistoryRow> others;
  for (const HistoryRow& row : last) {
    if (!std::binary_search(kept.begin(), kept.end(), row, precedes)) others.push_back(row);
  }
  add_to_history(all, std::move(others));
  return all;
}

void add_to_history(std::vector<HistoryRow>& history, std::vector<HistoryRow> rows) {
  std::sort(rows.begin(), rows.end(), precedes);
  const auto middle = static_cast<std::ptrdiff_t>(history.size());
  std::move(rows.begin(), rows.end(), std::back_inserter(history));
  std::inplace_merge(history.begin(), history.begin() + middle, history.end(), precedes);
}

}  // namespace atl
