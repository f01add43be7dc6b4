// In what jobs that mine rules differ from those that learn a decision list: what they say of the
// data, and what they write.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/core/report.hpp"
#include "src/core/run_state.hpp"
#include "src/results/written/history.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/loop/mining_parts.hpp"

namespace atl {

/// What a job has written.
struct JobOutcome {
  nlohmann::ordered_json counts;   ///< how much of what, for the log
  std::string text;                ///< "7 rules in RUN/rules.csv"
  std::vector<std::string> notes;  ///< lines behind it
  std::string print;               ///< the command that prints it
};

/// Of rank 0 alone.
class JobTask {
 public:
  virtual ~JobTask() = default;

  /// Before the search, what it takes a while to find out about the data.
  virtual void look_at_data() {}
  /// What a user should know of the data before a run begins.
  virtual void report_data(const Report& report) = 0;
  /// Writes results. Blocking.
  /// @param found    with the sections of what all islands have found
  /// @param history  by generation, then island
  /// @param go_on  told how far it is, every now and then; false: it is to come to an end
  virtual JobOutcome write(const RunState& found, std::vector<HistoryRow> history,
                           const std::function<bool(const std::string& line)>& go_on) = 0;
};

/// Of the kind that the experiment's algorithm searches for.
/// @param parts, settings  must outlive it, as must the report
std::unique_ptr<JobTask> make_task(MiningParts& parts, const JobSettings& settings,
                                   const Report& report);
std::unique_ptr<JobTask> make_rule_task(MiningParts& parts, const JobSettings& settings,
                                        const Report& report);
std::unique_ptr<JobTask> make_list_task(MiningParts& parts, const JobSettings& settings,
                                        const Report& report);

}  // namespace atl
