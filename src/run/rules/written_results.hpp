#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/run/run_folder.hpp"
#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/results/archive/archive.hpp"
#include "src/results/choice/chosen_rules.hpp"
#include "src/results/compare/mined_run.hpp"
#include "src/results/written/history.hpp"
#include "src/results/written/written_rule.hpp"
#include "src/run/data/job_tables.hpp"
#include "src/run/log/run_log.hpp"

namespace atl {

/// The findings of the search of a run, and how it came there.
struct FoundRules {
  Archive archive;
  std::vector<HistoryRow> history;  ///< by generation, then island
};

/// The rules of a run as its files have them.
struct RuleList {
  std::vector<WrittenRule> rules;  ///< best first, definitions that are kept apart last
  std::vector<HeldOut> tests;      ///< [chosen.rules] significant or not; empty: there are none
  std::vector<Measure> measures;   ///< of the columns
  /// As in ColumnChoice.
  bool held_out = false, quantiles = false, runs = false, repeated = false;

  /// For io::rules_csv() and io::rules_json(). Refers to the list.
  ColumnChoice columns() const;
  std::string csv() const;   ///< rules.csv: without variants
  std::string json() const;  ///< rules.json
};

struct WrittenResults {
  std::size_t rules = 0;        ///< no variants, no definitions that are apart
  std::size_t variants = 0;     ///< behind the rules
  std::size_t definitions = 0;  ///< behind the rules
};

/// Tests the rules on the rows held out, where there are some, and leaves out those that are not
/// significant, where the experiment says so. Blocking, not collective.
/// With `significance` the lines are one family of tests, of which the first experiment.top
/// survivors are written, in their order, with their variants.
/// @param chosen  in codes of the attributes
/// @param resident  of the rows that were searched, of the attributes
/// @param held_out  counts on the rows held out; null if there are none
/// @param origins  of rules collected from several runs; null for those of one
RuleList list_rules(const ChosenRules& chosen, std::span<const Attribute> attributes,
                    const Experiment& experiment, Resident& resident, Resident* held_out,
                    const RunOrigins* origins = nullptr);

/// The tools that the rules of a run are made with.
struct ChoiceTools {
  const Experiment& experiment;
  const IslandGrammars& grammars;
  JobTables& tables;
  const Dependences& dependences;  ///< between attributes
  /// Says whether to go on while the list is made better, which takes a while; false: it is written
  /// as it is.
  std::function<bool(const ChoiceProgress&)> go_on;
};

/// Chosen rules, and the rows to count them on.
struct RunChoice {
  ChosenRules list;    ///< in the codes of `searched`
  Resident& searched;  ///< the rows searched, with every value if bounds are exact
  Resident* held_out;  ///< those held out, likewise; null if there are none
};

/// Chooses the rules of a run from its archive, with bounds among all values where the experiment
/// says so. Blocking, not collective.
RunChoice choose_run_rules(const Archive& archive, const ChoiceTools& tools);

/// The list of a run in memory. It is written a second time once repeats have ended.
struct MadeList {
  RunChoice chosen;
  RuleList list;
};

/// Chooses the rules of a run as choose_run_rules() does and tests them as list_rules() does.
/// @param log  is told how long bounds took
MadeList make_list(const Archive& archive, const ChoiceTools& tools, RunLog& log,
                   const RunOrigins* origins = nullptr);

/// Writes rules.csv, rules.json and history.csv.
void write_list(const RuleList& list, std::span<const HistoryRow> history,
                const Experiment& experiment, const io::RunLock& run);

WrittenResults count_written(std::span<const WrittenRule> rules, const Experiment& experiment);

/// Reports the best rules, or says why there is none. Blocking, not collective.
void report_list(const MadeList& made, const FoundRules& found, const Experiment& experiment,
                 const Report& report);

}  // namespace atl
