// Puts rules in the order of a list, each of which says something that none before it says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/measures/measures.hpp"
#include "src/results/choice/antecedent_rows.hpp"
#include "src/results/choice/covered_rows.hpp"
#include "src/results/refinement/counted_rules.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A line of a list.
struct ListLine {
  RuleRecord record;
  /// Of a list by news, the size of which it is the most certain (NewsLine).
  std::optional<double> strongest_of = {};
  /// Of a list by news, the rows of its antecedent that no line before it with its consequent has.
  std::optional<std::uint64_t> new_rows = {};
  std::vector<RuleRecord> variants = {};  ///< of this line, those that matter first
  std::size_t that_matter = 0;            ///< variants that weighted covering would take
};

/// Chooses lines and their variants, of rules with the same consequent (CoveredRows::is_variant).
/// Blocking, not collective.
class ListLines {
 public:
  /// The arguments must outlive it.
  /// @param counted  with the options of the counts in the records
  ListLines(const Experiment& experiment, CountedRules& counted, ThreadPool& pool);

  /// The rules chosen that are no variants of each other, in their order.
  /// @param records  without redundancy, best first
  /// @param chosen   of these; the others may be variants
  std::vector<ListLine> by_measure(std::span<const RuleRecord> records,
                                   const std::set<Rule>& chosen);
  /// Lines by news (news_order.hpp), the consequents in turn. The first line of a consequent has
  /// 0.999 of what its best rule has of the measure; 0.99 if its first ten lines are worth clearly
  /// more then.
  /// @param records  without redundancy, best first
  /// @param most     lines
  std::vector<ListLine> by_news(std::span<const RuleRecord> records, std::size_t most);

 private:
  using Numbers = std::vector<std::size_t>;  // of records

  std::vector<Numbers> by_consequent(std::span<const RuleRecord> records) const;
  CoveredRows covered(std::span<const RuleRecord> records, const Numbers& of) const;
  std::vector<ListLine> lines_of(std::span<const RuleRecord> records, const Numbers& of,
                                 std::size_t most);
  void count_new_rows(std::vector<ListLine>& lines);
  /// Makes those that the rows looked at have not told to be variants what they are.
  void separate(std::vector<ListLine>& lines);
  bool may_be_variant(const RuleRecord& record, const RuleRecord& line) const;
  bool is_variant(const RuleRecord& record, const RuleRecord& line);
  void count_beside(const RuleRecord& record, std::span<const ListLine> lines);

  double most_similar_;
  Measure measure_;
  CountedRules& counted_;
  CountedRules for_p_;  // with deviations, where rules are about a mean
  AntecedentRows rows_;
};

}  // namespace atl
