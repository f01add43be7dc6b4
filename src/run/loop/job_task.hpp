// The difference between jobs that mine rules and those that learn a decision list: what they say
// of the data, and what they write.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "islands/archipelago/search.hpp"
#include "src/core/report.hpp"
#include "src/core/run_state.hpp"
#include "src/results/archive/gains.hpp"
#include "src/results/written/history.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/loop/mining_parts.hpp"

namespace atl {

/// The outcome of a job: what it has written.
struct JobOutcome {
  nlohmann::ordered_json counts;   ///< how much of what, for the log
  std::string text;                ///< "7 rules in RUN/rules.csv"
  std::vector<std::string> notes;  ///< lines behind it
  std::string print;               ///< the command that prints it; empty: there is nothing
};

/// The task of a job, on rank 0 alone.
class JobTask {
 public:
  virtual ~JobTask() = default;

  /// Finds out, before the search, what takes a while to know about the data.
  virtual void look_at_data() {}
  /// Reports what a user should know of the data before a run begins.
  virtual void report_data(const Report& report) = 0;
  /// The worth of what all islands have found; nothing if nobody has patience with it.
  virtual std::optional<ArchiveWorth> worth(const Results&) { return std::nullopt; }
  /// Looks at that worth. @return one that has seen nothing yet
  virtual GainWatch gain_watch() const { return GainWatch(); }
  /// Makes results, unless it has made them before, writes and reports them. Blocking.
  /// @param found    with the sections of what all islands have found
  /// @param history  by generation, then island
  /// @param repeats_follow  reports nothing, which the call after the repeats will do
  /// @param go_on  told how far it is, every now and then; false: it is to come to an end
  virtual JobOutcome write(const RunState& found, std::vector<HistoryRow> history,
                           bool repeats_follow,
                           const std::function<bool(const std::string& line)>& go_on) = 0;
  /// The outcome of a job that has been stopped in a repeat: the results are there already.
  virtual JobOutcome written() const { return {}; }
};

/// Makes a task of the kind that the experiment's algorithm searches for.
/// @param parts, search, settings  must outlive it, as must the report
std::unique_ptr<JobTask> make_task(MiningParts& parts, Search& search, const JobSettings& settings,
                                   const Report& report);
std::unique_ptr<JobTask> make_rule_task(MiningParts& parts, const JobSettings& settings,
                                        const Report& report);
std::unique_ptr<JobTask> make_list_task(MiningParts& parts, Search& search,
                                        const JobSettings& settings, const Report& report);

}  // namespace atl
