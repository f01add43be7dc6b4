// Fits bounds among all values after the search, which knows those of bins.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/results/refinement/bound_fits.hpp"
#include "src/results/refinement/counted_rules.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

struct RefinementSummary {
  std::size_t rules = 0;     ///< given
  std::size_t improved = 0;  ///< of them
  std::size_t added = 0;     ///< new ones
  std::uint64_t evaluated =
      0;  ///< rules counted on the way and not before, generalisations included
};

struct Refined {
  std::vector<RuleRecord> records;  ///< those given, in their order, then new ones; counted
  /// [given] The given rules with their old bounds, but without their idle parts.
  /// Empty for contrast, and if no rule has bounds to move.
  std::vector<RuleRecord> unmoved;
  /// The best of all by the experiment's `archive_by` before idle parts were left out.
  std::optional<RuleRecord> whole;
  /// `whole` without the parts that are idle, as far as 0.999 of the measure stays; whole itself if
  /// there are none.
  std::optional<RuleRecord> first;
  RefinementSummary summary;
};

struct RefinementTools;

/// Refines rules batch by batch. What was counted and fitted for one batch is known to the next,
/// and neighbours of a rule are looked at once: those of a former batch's rules are among its
/// records.
class Refinement {
 public:
  /// The arguments must outlive it.
  /// @param edges    at which bounds stay unless they gain, as BoundFits has them
  /// @param counted  of a table with every value a code of its own, and of the experiment's options
  Refinement(const Experiment& experiment, const IslandGrammars& grammars, ThreadPool& pool,
             const BinEdges& edges, CountedRules& counted);
  ~Refinement();

  /// Climbs from each rule: fits its comparisons on ordered attributes one after the other, round
  /// after round, until nothing changes, and takes the best by the experiment's `archive_by` of the
  /// rules met on the way that meet the constraints; the first of equals. A comparison keeps its
  /// form, `<=`, `>` or interval. One on an attribute that a literal of the grammar names stays as
  /// it is, and so does a rule that is no conjunction on both sides. For contrast then looks at
  /// what differs in one place: a comparison less, one more, an interval instead of one bound. The
  /// best of these that are better are records of their own, and climb, too. For other measures
  /// leaves out idle parts of antecedents: those without which the rule has 0.99 of the measure and
  /// of its confidence (of a mean's effect size), or is less pure by no more than chance. Blocking,
  /// not collective; results do not depend on the number of threads.
  /// @param records    in exact codes
  Refined refine(std::vector<RuleRecord> records);

  /// Leaves out the idle parts of antecedents, and moves no bound.
  std::vector<RuleRecord> shorten(std::vector<RuleRecord> records);

 private:
  RuleRecord without_idle(const RuleRecord& record);

  std::unique_ptr<RefinementTools> tools_;
};

}  // namespace atl
