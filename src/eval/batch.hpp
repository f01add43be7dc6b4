// A batch of rules made ready for evaluation over words of rows: what every bit-sliced backend
// runs.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/eval/bound_comparison.hpp"
#include "src/eval/rule_counter.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// Every expression is made of terms: words of rows that begin as all ones, from which comparisons
/// are subtracted in any order, and then other terms. a OR b is NOT (NOT a AND NOT b).

/// term &= words of the comparison ^ complement
struct Use {
  std::uint32_t comparison = 0;
  std::uint32_t term = 0;
  bool complement = false;
};
/// target &= source ^ complement
struct Fold {
  std::uint32_t target = 0;
  std::uint32_t source = 0;
  bool complement = false;
};
/// An expression's value: the term's words ^ complement, which include bits beyond the rows.
struct Side {
  std::uint32_t term = 0;
  bool complement = false;
};

struct CompiledRule {
  Side antecedent;
  Side consequent;
  std::uint32_t first_fold = 0;  ///< those of the rule, in order, after all uses
  std::uint32_t end_fold = 0;
  std::uint32_t comparisons = 0;  ///< of both sides
  std::uint32_t index = 0;        ///< of the rule, as it came
  std::uint32_t present_set = 0;
};

/// Consecutive rules that are evaluated together, with the comparisons that they alone use and
/// terms numbered from 0. Ranges are half open.
struct RuleGroup {
  std::uint32_t first_rule = 0, end_rule = 0;
  std::uint32_t first_comparison = 0, end_comparison = 0;
  std::uint32_t first_use = 0, end_use = 0;
  std::uint32_t terms = 0;
};

/// A comparison of a rule, or its complement among the rows.
struct Operand {
  std::uint32_t comparison = 0;
  bool complement = false;
};

/// @throws UnknownAttribute for the first rule that names one beyond `attributes`
void expect_known_attributes(std::span<const Rule> rules, std::size_t attributes);

/// Reusable: compile() keeps what was allocated.
class Batch {
 public:
  /// Few enough that the words of a tile of rows stay in a processor's cache.
  static constexpr std::uint32_t cached_terms = 200;

  /// @param group_terms  a group ends with the rule that reaches so many terms; comparisons are
  ///                     shared within a group
  /// @param order  [rules] of their indices, in which they are compiled; empty: as they come
  /// @throws UnknownAttribute, leaving the batch unspecified
  void compile(std::span<const Rule> rules, std::span<const Attribute> attributes,
               const CountingOptions& options, std::uint32_t group_terms = cached_terms,
               std::span<const std::uint32_t> order = {});

  const CountingOptions& options() const noexcept { return options_; }
  std::span<const RuleGroup> groups() const noexcept { return groups_; }
  /// Comparisons: distinct ones of each group if they are shared, else one for each in the rules.
  std::span<const BoundComparison> comparisons() const noexcept { return comparisons_; }
  std::span<const Use> uses() const noexcept { return uses_; }
  std::span<const Fold> folds() const noexcept { return folds_; }
  /// The rules in the order of compilation, as all that follows.
  std::span<const CompiledRule> rules() const noexcept { return rules_; }
  /// All comparisons of all rules, antecedents' first, in program order.
  std::span<const Operand> operands() const noexcept { return operands_; }
  /// Attributes that the rules name, ascending.
  std::span<const std::uint32_t> attributes() const noexcept { return attributes_; }
  /// Sets of attributes with missing values that the consequents of rules use; the first is empty.
  std::size_t present_sets() const noexcept { return set_begins_.size() - 1; }
  std::span<const std::uint32_t> present_set(std::size_t set) const noexcept {
    return std::span(set_attributes_)
        .subspan(set_begins_[set], set_begins_[set + 1] - set_begins_[set]);
  }

 private:
  /// A comparison, or a term that no other expression has been joined to yet.
  struct Value {
    bool is_comparison = false;
    bool complement = false;
    std::uint32_t index = 0;
  };

  void clear(std::size_t comparisons, const CountingOptions& options);
  Side compile(const Expression& expression, std::span<const Attribute> attributes);
  Side conjunction(std::span<const Comparison> comparisons, std::span<const Attribute> attributes);
  Operand add(const Comparison& comparison, std::span<const Attribute> attributes);
  Value conjunction(const Value& a, const Value& b);
  void join(std::uint32_t term, const Value& value);
  std::uint32_t intern(const BoundComparison& comparison);
  std::uint32_t intern_set(const Expression& consequent, std::span<const Attribute> attributes);

  CountingOptions options_;
  std::vector<RuleGroup> groups_;
  RuleGroup group_;  ///< the one that rules are added to
  std::vector<BoundComparison> comparisons_;
  std::vector<std::uint32_t> buckets_;  ///< open addressing: index of a comparison + 1, or 0
  std::vector<Use> uses_;
  std::vector<Fold> folds_;
  std::vector<CompiledRule> rules_;
  std::vector<Operand> operands_;
  std::vector<Value> stack_;
  std::vector<std::uint8_t> used_;  ///< [attributes]
  std::vector<std::uint32_t> attributes_;
  std::vector<std::uint32_t> set_begins_;
  std::vector<std::uint32_t> set_attributes_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> sets_;
  std::vector<std::uint32_t> set_key_;
};

/// Writes what was counted of a batch for whoever submitted it.
/// @param rows  of the dataset
/// @param known  [present sets] rows on which all of the set have a value
/// @param counts  rules[rule * 3], sums[rule] and hashes[rule * 2], those that the options want, in
///                the batch's order
/// @param support  of a comparison of the batch, called only if the options want it
/// @param squares  likewise of a rule, LevelSums::squares
/// @param out  [rules] as they came; reuses what it has allocated
template <typename Counts, typename Support, typename Squares>
void read_counts(const Batch& batch, std::uint64_t rows, std::span<const std::uint64_t> known,
                 const Counts& counts, const Support& support, const Squares& squares,
                 std::span<RuleCounts> out) {
  const CountingOptions& options = batch.options();
  assert(out.size() == batch.rules().size());
  const Operand* operand = batch.operands().data();
  for (std::size_t r = 0; r < out.size(); ++r) {
    const CompiledRule& rule = batch.rules()[r];
    RuleCounts& to = out[rule.index];
    const std::uint64_t present = known[rule.present_set];
    to.n = options.exclude_missing_consequent ? present : rows;
    to.antecedent = counts.rules[r * 3];
    to.consequent = counts.rules[r * 3 + 1];
    to.both = counts.rules[r * 3 + 2];
    to.missing_consequent = rows - present;
    to.sum = options.mean ? counts.sums[r] : 0;
    to.set_squares(options.mean && options.mean->deviations ? squares(r) : LevelSums::Wide{0});
    to.comparison_supports.clear();
    if (options.comparison_supports) {
      for (std::uint32_t c = 0; c < rule.comparisons; ++c, ++operand) {
        const std::uint64_t holds = support(operand->comparison);
        to.comparison_supports.push_back(operand->complement ? rows - holds : holds);
      }
    }
    to.coverage_hash = {0, 0};
    if (options.coverage_hashes) {
      to.coverage_hash = {counts.hashes[r * 2], counts.hashes[r * 2 + 1]};
    }
  }
}

}  // namespace atl
