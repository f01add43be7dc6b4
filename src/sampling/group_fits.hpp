#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "src/sampling/fit_limits.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

/// Fits the trials of groups one after the other, for fitters of the host.
class GroupFits {
 public:
  /// @param fit  FittedInterval or nothing of a trial on at most so many rows
  template <typename Fit>
  FittedGroup operator()(const IntervalGroup& group, const Fit& fit) {
    const bool compares = group.rows_to_compare != 0;
    tried_.clear();
    for (std::size_t i = 0; i < group.trials.size(); ++i) {
      tried_.push_back({i, {}, 0});
      look(group, tried_.back(), compares ? group.rows_to_compare : group.rows, fit);
    }
    std::sort(tried_.begin(), tried_.end(), is_better);
    if (compares) {
      tried_.resize(std::min<std::size_t>(tried_.size(), compared_again));
      for (Tried& tried : tried_) look(group, tried, group.rows, fit);
      std::sort(tried_.begin(), tried_.end(), is_better);
    }
    if (tried_.empty()) return {};
    return {tried_.front().number, tried_.front().interval};
  }

 private:
  struct Tried {
    std::size_t number;
    std::optional<FittedInterval> interval;  // as it was found last
    double chi_squared;                      // of the last fit; 0 if nothing gained
  };

  static bool is_better(const Tried& a, const Tried& b) {
    return a.chi_squared != b.chi_squared ? a.chi_squared > b.chi_squared : a.number < b.number;
  }

  template <typename Fit>
  static void look(const IntervalGroup& group, Tried& tried, std::size_t rows, const Fit& fit) {
    const auto& trial = group.trials[tried.number];
    const std::optional<FittedInterval> found = trial ? fit(*trial, rows) : std::nullopt;
    tried.chi_squared = found ? found->chi_squared : 0;
    if (found) tried.interval = found;
  }

  std::vector<Tried> tried_;
};

}  // namespace atl
