// The rules that say of more rows what a rule says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/measures/contingency_table.hpp"
#include "src/rules/expression.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

/// Antecedents of at most so many parts have all their generalisations tested.
inline constexpr std::size_t most_generalised_parts = 12;

/// The antecedents that are left when some parts of one are dropped, or all: then it is empty and
/// holds on every row. The parts are the operands of the outermost AND; of an interval on a numeric
/// or ordinal attribute that has values below and above (`= v` among them), each bound is a part of
/// its own. With more than most_generalised_parts parts, only those that drop one part, and the
/// empty one.
/// @param antecedent  canonical, or of other data (Unseen::never_holds); not empty
/// @param intervals  [comparisons] not zero: has two bounds, whether these data have values beyond
///                   them or not. Empty: as the data have it
std::vector<Expression> proper_generalisations(const Expression& antecedent,
                                               std::span<const Attribute> attributes,
                                               std::span<const std::uint8_t> intervals = {});

/// ln p of the test that among the rows of the general rule's antecedent the special rule's goes
/// along with the consequent: Fisher's exact one, one-sided, or that of significance.hpp for rules
/// about a mean (Webb 2007, "Discovering significant patterns", Machine Learning 68).
/// @param general  table of a rule whose antecedent covers all rows of the special one's, with the
///                 same consequent; with its deviation if it is about a mean
double log_productive_p(const ContingencyTable& special, const ContingencyTable& general) noexcept;

/// Widens an antecedent by one bound or one comparison at a time: a bound on an ordered attribute
/// moves outward until its comparison takes twice as many rows, as far as there are such; any other
/// comparison is left out. What is no conjunction is left out as a whole. The attributes must
/// outlive it.
class Generalisation {
 public:
  explicit Generalisation(std::span<const Attribute> attributes);

  /// Appends the generalisations of a canonical rule; their antecedents may be empty.
  void generalise(const Rule& rule, std::vector<Rule>& out) const;

 private:
  // Moves the lower bound. False if nothing is left of the comparison.
  bool move_low(Comparison& comparison) const;
  bool move_high(Comparison& comparison) const;
  bool takes_less_than_all(const Comparison& comparison) const;

  std::span<const Attribute> attributes_;
  std::vector<std::vector<std::uint64_t>> rows_below_;  // [attribute][code]; empty if not ordered
};

/// Notes in `table` the one of its rule's generalisations by which its contrast is least.
void note_nearest(ContingencyTable& table,
                  std::span<const RuleStatistics> generalisations) noexcept;

}  // namespace atl
