// The rules on the way to better bounds, and those beside a rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/dataset.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/contingency_table.hpp"
#include "src/measures/measures.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/results/refinement/bound_fits.hpp"
#include "src/rules/rule.hpp"
#include "src/rules/rule_statistics.hpp"

namespace atl {

/// Finds the parts of an antecedent that a rule does as well without. A part is idle if the rule is
/// nearly as good without it, and either nearly as pure or no purer with it than by chance; or if
/// rows held out could hardly show that it is purer with it.
class IdleParts {
 public:
  /// @param measure  by which a rule is nearly as good
  /// @param purity   likewise pure
  /// @param shown_log_p  greatest ln p, on the rows searched, of a part that the rows held out can
  ///                     show to do something; none: nothing is to be shown
  IdleParts(Constraints constraints, Measure measure, Measure purity,
            std::optional<double> shown_log_p = {})
      : constraints_(constraints), measure_(measure), purity_(purity), shown_log_p_(shown_log_p) {}

  /// The shorter rule without an idle part that has the greatest p; the first of equals.
  /// @param counts  of the shorter rules, last of the rule itself
  /// @param least   of the measure, that is to stay
  std::optional<std::size_t> most_idle(
      std::span<const RuleStatistics> counts,
      double least = -std::numeric_limits<double>::infinity()) const;

 private:
  bool is_idle(const ContingencyTable& with, const ContingencyTable& without, double log_p) const;

  Constraints constraints_;
  Measure measure_, purity_;
  std::optional<double> shown_log_p_;
};

/// A comparison of a rule whose codes are to be fitted.
struct OpenBound {
  bool of_antecedent = true;
  std::size_t at = 0;  ///< of its side's comparisons
  BoundRelation form = BoundRelation::interval;
};

/// The rule with other codes; not canonical.
Rule with_codes(const Rule& rule, const OpenBound& bound, const FittedInterval& codes);

/// A rule that differs from another in one place.
struct Neighbour {
  Rule rule;                      ///< canonical unless something is to be fitted
  std::optional<OpenBound> open;  ///< to be fitted before the rule means anything
};

/// Makes other rules of a rule; counts nothing, and says what is to be fitted for them. The
/// arguments must outlive it.
class Climber {
 public:
  Climber(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& exact);

  /// The bounds that climbing fits one after the other, as each depends on the codes of those
  /// before it: all that may move, the antecedent's first. Empty for what is no conjunction on both
  /// sides.
  std::vector<OpenBound> bounds(const Rule& rule) const;
  /// @param rule   with the codes that the other comparisons have by now
  /// @param table  of the rule before any of its bounds moved
  BoundFit fit(const Rule& rule, const OpenBound& bound, const ContingencyTable& table) const;
  /// The rule without one part of its antecedent, where the grammar takes any conjunction: without
  /// a comparison or, of an interval, a bound.
  std::vector<Rule> shortened(const Rule& rule) const;
  /// The rule changed in one place: a one-sided comparison made an interval, and, where the grammar
  /// takes any conjunction, one of the antecedent left out or one on another attribute added.
  /// @param others  attributes to add
  std::vector<Neighbour> neighbours(const Rule& rule, std::span<const std::uint32_t> others) const;

 private:
  // The share of positive rows at which a bound gains nothing more. Returns nothing for contrast,
  // which does not follow from a rule's own counts, and for rules about a mean, which does not
  // follow from how many rows lie beyond a value.
  std::optional<PositiveShare> share(const ContingencyTable& table,
                                     std::uint64_t ContingencyTable::*side) const;
  void close_bounds(const Rule& rule, bool antecedent, std::vector<Neighbour>& out) const;
  void shorten(const Rule& rule, std::vector<Rule>& out) const;
  void open_bounds(const Rule& rule, std::vector<Rule>& out) const;
  void lengthen(const Rule& rule, std::span<const std::uint32_t> others,
                std::vector<Neighbour>& out) const;

  Measure measure_;
  Expression goal_;
  const BoundGrammar& grammar_;
  std::span<const Attribute> attributes_;
};

}  // namespace atl
