#include "src/run/job_end.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "src/core/near_names.hpp"
#include "src/core/number.hpp"
#include "src/core/shell_word.hpp"

namespace atl {

std::optional<Error> write_error(const io::Folder& run, const std::function<void()>& action) {
  try {
    action();
    return std::nullopt;
  } catch (const Error& error) {
    const ExitStatus status = error.status();
    if (status != ExitStatus::cannot_create && status != ExitStatus::io_error) throw;
    run.require_in_place();
    return error;
  }
}

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

namespace {

/// Why there are fewer rules than were asked for, and what would bring more; empty if there are
/// not.
std::string why_fewer(std::size_t archived, const Experiment& experiment,
                      const WrittenResults& written, const std::string& folder) {
  if (!written.complete)
    return "the bounds of some rules are as they were found: atoll resume " + shell_word(folder) +
           " goes on";
  if (written.rules >= experiment.top || written.rules == 0 || experiment.significance > 0) {
    return "";
  }
  const std::string text = fmt::format("fewer than {}: ", experiment.top);
  if (written.alike > 0 && experiment.max_similarity < 1) {
    return text + fmt::format(
                      "{} more are like one of these (a --max-similarity above {} lets "
                      "more of them in); whatever else was found says no more than these",
                      written.alike, format_number(experiment.max_similarity));
  }
  if (archived > written.rules + written.definitions) {
    return text + "whatever else the search has found says no more than one of these";
  }
  return text + fmt::format(
                    "the search has found no more with support of at least {} "
                    "(--min-support)",
                    experiment.min_support.to_string());
}

}  // namespace

void report_end(const RunStateHeader& header, std::size_t archived, const Experiment& experiment,
                StopReason reason, const WrittenResults& written, const io::RunPaths& paths,
                RunLog& log, const Report& report) {
  log.write("end", {{"reason", to_string(reason)},
                    {"generation", header.generation},
                    {"rules", written.rules},
                    {"variants", written.variants},
                    {"definitions", written.definitions},
                    {"seconds", header.seconds}});
  report(Severity::info,
         fmt::format("{} after generation {} of {}: {} in {}",
                     reason == StopReason::stop_after ? "stopped" : to_string(reason),
                     header.generation, experiment.generations, counted(written.rules, "rule"),
                     paths.rules_csv));
  if (written.definitions > 0) {
    report(Severity::info, fmt::format("kept apart, behind them: {} (atoll rules --definitions {})",
                                       counted(written.definitions, "definition"), paths.folder));
  }
  const std::string why = why_fewer(archived, experiment, written, paths.folder);
  if (!why.empty()) report(Severity::info, why);
  report(Severity::info, ends_run(reason) ? "print them: atoll rules " + shell_word(paths.folder)
                                          : "go on: atoll resume " + shell_word(paths.folder));
}

}  // namespace atl
