// Which parts of an antecedent a rule does as well without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "src/measures/contingency_table.hpp"
#include "src/measures/measures.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

/// What makes a part of an antecedent idle: that the rule is nearly as good and as pure without it,
/// or that it is no purer with it than by chance.
enum class Idle : std::uint8_t { nearly_or_by_chance, by_chance };

class IdleParts {
 public:
  /// @param measure  by which a rule is nearly as good
  /// @param purity   likewise pure
  IdleParts(Constraints constraints, Measure measure, Measure purity)
      : constraints_(constraints), measure_(measure), purity_(purity) {}

  /// The shorter rule without an idle part that has the greatest p; the first of equals.
  /// @param counts  of the shorter rules, last of the rule itself
  std::optional<std::size_t> most_idle(std::span<const RuleStatistics> counts, Idle idle) const;

 private:
  bool is_idle(const ContingencyTable& with, const ContingencyTable& without, double log_p,
               Idle idle) const;

  Constraints constraints_;
  Measure measure_, purity_;
};

}  // namespace atl
