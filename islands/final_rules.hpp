// What a run writes.
#pragma once

#include <cstdint>
#include <vector>

#include "islands/refinement.hpp"
#include "islands/run_state.hpp"
#include "src/core/experiment.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/evaluator.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// The archive's rules, counted again, redundancy removed, the best experiment.top of them that are
/// not more similar than the experiment allows. Not collective; blocking.
std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    const Dataset& dataset, Evaluator& evaluator);

/// The rows of a dataset with every value a code of its own, and what counts on them.
struct ExactRows {
  const Dataset& dataset;
  Evaluator& evaluator;
  ThreadPool& pool;
};

/// Which rules of an archive have their bounds fitted: twice as many as are written, chosen like
/// these, or, of an archive of several runs, all: which of two similar rules is the better one is
/// seen only then.
enum class Refinable { chosen, all };

/// Likewise, with bounds among all values (refinement.hpp), fitted before rules are
/// chosen.
/// @param dataset, evaluator  of the search
/// @return rules in the codes of `exact`
std::vector<RuleRecord> final_rules(const RunState& state, const Experiment& experiment,
                                    const IslandGrammars& grammars, const Dataset& dataset,
                                    Evaluator& evaluator, const ExactRows& exact,
                                    RefinementSummary& summary,
                                    Refinable refinable = Refinable::chosen);

}  // namespace atl
