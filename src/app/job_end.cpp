#include "src/app/job_end.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/near_names.hpp"

namespace atl {

std::optional<Error> write_error(const std::function<void()>& action) {
  try {
    action();
    return std::nullopt;
  } catch (const Error& error) {
    const ExitStatus status = error.status();
    if (status != ExitStatus::cannot_create && status != ExitStatus::io_error) throw;
    return error;
  }
}

Error unwritten(const std::optional<Error>& checkpoint, const std::optional<Error>& results,
                bool any, const std::string& folder) {
  if (!checkpoint) {
    return Error(results->status(),
                 fmt::format("{}; the checkpoint is there, write the results by atoll resume {}",
                             results->what(), folder));
  }
  return Error(
      checkpoint->status(),
      fmt::format("{}; {}, and atoll resume {} {}", checkpoint->what(),
                  results ? "nor could all results be written" : "the results so far are written",
                  folder, any ? "goes on from the checkpoint before" : "begins again"));
}

void remove_stop_file(const io::RunPaths& paths, const Report& report) {
  std::error_code error;
  std::filesystem::remove(paths.stop, error);
  if (!error) return;
  report(Severity::warning,
         paths.stop + ": " + error.message() + "; remove it before the run is resumed");
}

void log_failure(const Error& error, RunLog& log) {
  log.write("error", {{"status", static_cast<int>(error.status())}, {"message", error.what()}});
}

void report_end(const RunState& state, const Experiment& experiment, StopReason reason,
                std::size_t rules, const io::RunPaths& paths, RunLog& log, const Report& report) {
  log.write("end", {{"reason", to_string(reason)},
                    {"generation", state.header.generation},
                    {"rules", rules},
                    {"seconds", state.header.seconds}});
  report(Severity::info,
         fmt::format("{} after generation {} of {}: {} in {}",
                     reason == StopReason::stop_after ? "stopped" : to_string(reason),
                     state.header.generation, experiment.generations, io::counted(rules, "rule"),
                     paths.rules_csv));
  if (rules < experiment.top && state.archive.rules().size() > rules &&
      experiment.significance == 0) {
    report(Severity::info, fmt::format("fewer than {}: what a better rule makes superfluous "
                                       "or nearly repeats is left out (--max-similarity)",
                                       experiment.top));
  }
  report(Severity::info, ends_run(reason) ? "print them: atoll rules " + paths.folder
                                          : "go on: atoll resume " + paths.folder);
}

}  // namespace atl
