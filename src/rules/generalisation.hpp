// The rules that say of more rows what a rule says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

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
