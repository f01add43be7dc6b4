#include "src/eval/list_decisions.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <mutex>
#include <numeric>
#include <utility>

#include "src/core/parallel.hpp"
#include "src/core/text/label_number.hpp"
#include "src/data/bit_planes.hpp"
#include "src/rules/rule_set_text.hpp"

namespace atl {
namespace {

/// A bit for each row of a partition.
using Words = std::vector<std::uint64_t>;

/// The rows that the rules of a list cover, partition by partition.
class ListCoverage {
 public:
  ListCoverage(const RuleSet& list, const Dataset& data) : list_(list), data_(data) {
    for (const ClassRule& rule : list.rules) {
      const auto comparisons = rule.antecedent.comparisons();
      comparisons_.insert(comparisons_.end(), comparisons.begin(), comparisons.end());
    }
    truth_.resize(comparisons_.size());
    by_attribute_.resize(comparisons_.size());
    std::iota(by_attribute_.begin(), by_attribute_.end(), std::size_t{0});
    std::stable_sort(by_attribute_.begin(), by_attribute_.end(), [&](std::size_t a, std::size_t b) {
      return comparisons_[a].attribute < comparisons_[b].attribute;
    });
  }

  /// Calls `take(rule, row of the shard, whether it decides)` for every rule and row of a partition
  /// that it covers, the default class's being the last rule.
  template <typename Take>
  void visit(std::size_t partition, const Take& take) {
    compare(partition);
    const std::uint64_t first_row = data_.partition_first_row(partition);
    Words undecided = everywhere();
    std::size_t first_comparison = 0;
    for (std::size_t rule = 0; rule <= list_.rules.size(); ++rule) {
      const Words covered = rule < list_.rules.size()
                                ? cover(list_.rules[rule].antecedent, first_comparison)
                                : everywhere();
      for (std::size_t w = 0; w < covered.size(); ++w) {
        const std::uint64_t decided = covered[w] & undecided[w];
        for (std::uint64_t left = covered[w]; left != 0; left &= left - 1) {
          const auto bit = static_cast<std::uint64_t>(std::countr_zero(left));
          take(rule, first_row + 64 * w + bit, (decided >> bit & 1) == 1);
        }
        undecided[w] &= ~covered[w];
      }
    }
  }

 private:
  Words everywhere() const {
    Words words(words_for(rows_), ~std::uint64_t{0});
    if (rows_ % 64 != 0) words.back() >>= 64 - rows_ % 64;
    return words;
  }

  /// The truth of each comparison on the rows of a partition.
  void compare(std::size_t partition) {
    rows_ = data_.partition_rows(partition);
    std::vector<std::uint32_t> codes(rows_);
    for (std::size_t i = 0; i < by_attribute_.size(); ++i) {
      const Comparison& comparison = comparisons_[by_attribute_[i]];
      if (i == 0 || comparisons_[by_attribute_[i - 1]].attribute != comparison.attribute)
        data_.codes(partition, comparison.attribute, codes);
      Words& truth = truth_[by_attribute_[i]];
      truth.assign(words_for(rows_), 0);
      for (std::uint64_t row = 0; row < rows_; ++row) {
        const bool holds = takes(comparison, codes[row]);
        truth[row / 64] |= std::uint64_t{holds} << (row % 64);
      }
    }
  }

  /// @param comparison  index of the antecedent's first; of the next antecedent's afterwards
  Words cover(const Expression& antecedent, std::size_t& comparison) const {
    const Words all = everywhere();
    if (antecedent.empty()) return all;
    std::vector<Words> stack;
    for (const Op op : antecedent.program()) {
      if (op == Op::comparison) {
        stack.push_back(truth_[comparison++]);
      } else if (op == Op::negation) {
        for (std::size_t w = 0; w < all.size(); ++w) stack.back()[w] ^= all[w];
      } else {
        const Words right = std::move(stack.back());
        stack.pop_back();
        for (std::size_t w = 0; w < all.size(); ++w) {
          if (op == Op::conjunction)
            stack.back()[w] &= right[w];
          else
            stack.back()[w] |= right[w];
        }
      }
    }
    return std::move(stack.back());
  }

  const RuleSet& list_;
  const Dataset& data_;
  std::vector<Comparison> comparisons_;    ///< of all antecedents, in order
  std::vector<std::size_t> by_attribute_;  ///< their indices
  std::vector<Words> truth_;               ///< [comparisons] on the rows of the partition
  std::uint64_t rows_ = 0;                 ///< of the partition
};

}  // namespace

std::vector<std::uint32_t> deciding_rules(const RuleSet& list, const Dataset& data) {
  std::vector<std::uint32_t> rules(data.rows());
  ListCoverage coverage(list, data);
  for (std::size_t p = 0; p < data.partitions(); ++p) {
    coverage.visit(p, [&](std::size_t rule, std::uint64_t row, bool decides) {
      if (decides) rules[row] = static_cast<std::uint32_t>(rule);
    });
  }
  return rules;
}

RuleSetCounts count_classes(const RuleSet& list, const Dataset& data,
                            std::span<const std::uint32_t> row_classes, std::size_t classes,
                            ThreadPool* pool) {
  assert(row_classes.size() == data.rows());
  const std::size_t rules = list.rules.size();
  RuleSetCounts counts;
  counts.covered.resize(rules * classes);
  counts.decided.resize((rules + 1) * classes);
  std::mutex mutex;  // of the counts
  for_each_index(pool, data.partitions(), [&](std::size_t p) {
    std::vector<std::uint64_t> covered(counts.covered.size()), decided(counts.decided.size());
    ListCoverage(list, data).visit(p, [&](std::size_t rule, std::uint64_t row, bool decides) {
      if (row_classes[row] == missing_code) return;
      const std::size_t place = rule * classes + row_classes[row];
      if (rule < rules) ++covered[place];
      if (decides) ++decided[place];
    });
    const std::scoped_lock lock(mutex);
    for (std::size_t i = 0; i < covered.size(); ++i) counts.covered[i] += covered[i];
    for (std::size_t i = 0; i < decided.size(); ++i) counts.decided[i] += decided[i];
  });
  return counts;
}

JointClasses join_classes(const Attribute& classes, const Attribute& theirs) {
  JointClasses joint;
  for (std::uint32_t code = 0; code < classes.distinct(); ++code)
    joint.labels.push_back(class_label(code, classes));
  const auto known = joint.labels.size();
  for (std::uint32_t code = 0; code < theirs.distinct(); ++code) {
    const std::string label = class_label(code, theirs);
    const auto found = find_label(std::span(joint.labels).first(known), label);
    if (!found) joint.labels.push_back(label);
    joint.codes.push_back(static_cast<std::uint32_t>(found.value_or(joint.labels.size() - 1)));
  }
  return joint;
}

}  // namespace atl
