// The rules on the way to better bounds, and those beside a rule.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/dataset.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/contingency_table.hpp"
#include "src/measures/measures.hpp"
#include "src/rules/rule.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

/// [attributes] first codes of the bins that the search knew but the first bin's, in exact codes;
/// empty of attributes without bins.
using BinEdges = std::vector<std::vector<std::uint32_t>>;

/// Makes other rules of a rule, by fits on the rows of a dataset with every value a code of its
/// own; counts nothing. The arguments must outlive it. One for all threads, each with a fitter.
class Climber {
 public:
  /// The rows that its fitters look at.
  static constexpr IntervalRows rows_to_fit{.most = 1U << 20, .enough = 1U << 20};

  /// @param edges  at which bounds stay unless they gain (IntervalTrial); empty: none
  Climber(const Experiment& experiment, const BoundGrammar& grammar, const Dataset& exact,
          const BinEdges& edges = {});
  /// Fits every comparison once. False if nothing moves.
  /// @param table  the rule's
  bool round(Rule& rule, const ContingencyTable& table, IntervalFitter& fitter) const;
  /// The rule without one part of its antecedent, where the grammar takes any conjunction: without
  /// a comparison or, of an interval, a bound.
  std::vector<Rule> shortened(const Rule& rule) const;
  /// The rule changed in one place: a one-sided comparison made an interval, and, where the grammar
  /// takes any conjunction, one of the antecedent left out or one on another attribute added.
  /// @param others  attributes to add
  std::vector<Rule> neighbours(const Rule& rule, std::span<const std::uint32_t> others,
                               IntervalFitter& fitter) const;

 private:
  // The share of positive rows at which a bound gains nothing more. Returns nothing for contrast,
  // which does not follow from a rule's own counts, and for rules about a mean, which does not
  // follow from how many rows lie beyond a value.
  std::optional<PositiveShare> share(const ContingencyTable& table,
                                     std::uint64_t ContingencyTable::*side) const;
  void fit(Expression& side, const Expression& other, std::optional<PositiveShare> share,
           IntervalFitter& fitter) const;
  /// @param rest  of the side; the comparison may be among them
  void fit(Comparison& c, BoundRelation form, std::span<const Comparison> rest,
           const Expression& other, std::optional<PositiveShare> share,
           IntervalFitter& fitter) const;
  void close_bounds(const Rule& rule, bool antecedent, const Expression& other,
                    IntervalFitter& fitter, std::vector<Rule>& out) const;
  void shorten(const Rule& rule, std::vector<Rule>& out) const;
  void open_bounds(const Rule& rule, std::vector<Rule>& out) const;
  void lengthen(const Rule& rule, const Expression& goal, std::span<const std::uint32_t> others,
                IntervalFitter& fitter, std::vector<Rule>& out) const;

  Measure measure_;
  Expression goal_;
  const BoundGrammar& grammar_;
  std::span<const Attribute> attributes_;
  BinEdges edges_;
};

}  // namespace atl
