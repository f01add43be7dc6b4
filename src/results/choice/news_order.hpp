// The order of an aimed list: by what each rule adds to those before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/measures/measures.hpp"
#include "src/results/choice/antecedent_rows.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A rule of an ordered list.
struct NewsLine {
  std::size_t rule = 0;              ///< number of the record
  std::vector<std::size_t> variants; ///< records that are like it, in the order given
};

struct NewsTask {
  std::span<const RuleRecord> records;  ///< of one consequent
  Measure measure = Measure::leverage;  ///< by which records stand, best first
  double most_similar = 0.5;
  std::size_t top = 0;     ///< lines at most
};

/// Puts rules in the greedy order of what each adds to the sum of two figures, each over what a list
/// made for it alone reaches: that of weighted covering, in which a row's weight is halved with
/// each rule that covers it, and the sum over sizes of the certainty of the best rule of that size.
/// A rule that is like a line before it becomes its variant.
std::vector<NewsLine> order_by_news(const NewsTask& task, const AntecedentRows& rows,
                                    std::span<const Attribute> attributes, ThreadPool& pool);

}  // namespace atl
