#include "src/run/loop/job_end.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "src/core/text/shell_word.hpp"

namespace atl {

Error unwritten(const std::optional<Error>& checkpoint, const std::optional<Error>& results,
                bool any, const std::string& folder) {
  if (!checkpoint) {
    return Error(results->status(),
                 fmt::format("{}; the checkpoint is there, write the results by atoll resume {}",
                             results->what(), shell_word(folder)));
  }
  return Error(
      checkpoint->status(),
      fmt::format("{}; {}, and atoll resume {} {}", checkpoint->what(),
                  results ? "nor could all results be written" : "the results so far are written",
                  shell_word(folder), any ? "goes on from the checkpoint before" : "begins again"));
}

void remove_stop_file(const io::Folder& run, const Report& report) {
  try {
    run.remove(io::run_names::stop);
  } catch (const Error& error) {
    report(Severity::warning, std::string(error.what()) + "; remove it before the run is resumed");
  }
}

void log_failure(const Error& error, RunLog& log) {
  log.write("error", {{"status", static_cast<int>(error.status())}, {"message", error.what()}});
}

void report_end(const RunStateHeader& header, const Experiment& experiment, StopReason reason,
                const JobOutcome& outcome, const std::string& folder, RunLog& log,
                const Report& report) {
  nlohmann::ordered_json record = {{"reason", to_string(reason)},
                                   {"generation", header.generation}};
  record.update(outcome.counts);
  record["seconds"] = header.seconds;
  log.write("end", record);
  report(Severity::info,
         fmt::format("{} after generation {} of {}: {}",
                     reason == StopReason::stop_after ? "stopped" : to_string(reason),
                     header.generation, experiment.generations, outcome.text));
  for (const std::string& note : outcome.notes) report(Severity::info, note);
  report(Severity::info, ends_run(reason) ? "print them: " + outcome.print
                                          : "go on: atoll resume " + shell_word(folder));
}

}  // namespace atl
