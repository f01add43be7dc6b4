// Rules without a run: from a table in memory, for programs and tests.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/results/written/history.hpp"
#include "src/run/machine/backend.hpp"
#include "src/run/rules/written_results.hpp"

namespace atl {

struct MiningResult {
  /// list.csv() has the bytes of rules.csv.
  RuleList list;
  std::vector<HistoryRow> history;  ///< that of history.csv
};

/// Mines what `atoll mine` writes of the same experiment and data, to the byte, unless a time limit
/// ends it: aimed at what the data designate, some rows held out, bounds fitted among all values,
/// rules merged and tested. On this process alone, without folder, lock, log or checkpoint.
/// Blocking.
/// @param exact  not binned, all rows held; bins are made as the experiment says
/// @param experiment  empty, as Experiment::defaults() leaves them, its grammar is "association"
///                    and its measures are the usual ones
/// @param backend  counts; it may use the pool
/// @param stop  asked every few generations, and now and then while the list is made
/// @param report  is told of the aim, where the data designate it, and of a device that is lost
/// @return nothing if it was stopped
/// @throws UsageError for an experiment that does not fit the data, or one that searches for lists
///         (learn_list()); BadData if there is nothing to conclude from; BackendUnavailable
std::optional<MiningResult> mine_rules(
    const Dataset& exact, Experiment experiment, Backend& backend, ThreadPool& pool,
    const std::function<bool()>& stop = [] { return false; },
    const Report& report = [](Severity, const std::string&) {});

}  // namespace atl
