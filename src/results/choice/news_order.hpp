// The order of an aimed list: by what each rule adds to those before it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/results/choice/covered_rows.hpp"

namespace atl {

struct NewsLimits {
  std::size_t lines = 0;      ///< at most
  double most_similar = 0.5;  ///< of two lines (CoveredRows::is_variant)
};

/// A line of the list.
struct NewsLine {
  std::size_t rule = 0;
  /// The greatest size of which the rule is the list's most certain one, as a share of the rows.
  std::optional<double> strongest_of;
};

struct NewsOrder {
  std::vector<NewsLine> lines;  ///< in the order in which each adds most
  double early = 0;             ///< the sum of the first ten lines
  /// The 20 best for weighted covering alone, lines or not.
  std::vector<std::size_t> covering;
};

/// Chooses the lines among rules of one consequent, each the one that adds most to the sum of two
/// figures:
/// - weighted covering (Lavrac et al. 2004): every row weighs 1, and half as much with each line
///   that covers it; a line adds the weighted sum of what its rows are above the mean. Over what
///   the 20 best lines for this figure alone have.
/// - the front: for each size (front_sizes()), how far certainty() of the list's best rule that
///   covers so many rows is above the mean. Over that of all rules. It counts three times, as each
///   size has few rules that serve it.
/// A variant of a line is none itself. The first ten lines are chosen together: one gives way to
/// another rule as long as that makes the sum greater. What their mean Jaccard index is above 0.25
/// counts against it.
/// @param may_begin  rules of which one is to be the first line; not empty
NewsOrder order_by_news(const CoveredRows& rules, std::span<const std::size_t> may_begin,
                        const NewsLimits& limits, ThreadPool& pool);

}  // namespace atl
