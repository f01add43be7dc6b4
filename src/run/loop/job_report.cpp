#include "src/run/loop/job_report.hpp"

#include <algorithm>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/run/run_files.hpp"
#include "src/core/text/number.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/core/time_line.hpp"

namespace atl {
namespace {

void add_team(nlohmann::ordered_json& record, const MiningParts& parts, const Machine& machine) {
  record["team"] = parts.teams.size();
  record["split"] = names_of(machine.split)[static_cast<std::size_t>(machine.split)];
  record["adds_up_by"] = parts.reducer->name();
  const std::string reason = parts.reducer->reason();
  if (!reason.empty()) record["adds_up_reason"] = reason;
}

/// "10%"
std::string percent(double share) {
  return format_number(100 * share) + "%";
}

/// Says whether more of the search would bring more.
std::string why_ended(std::uint32_t generation, const Experiment& experiment, StopReason reason,
                      const GainWatch& gains) {
  const auto patience = static_cast<std::uint32_t>(experiment.patience);
  if (gains.over(generation, patience)) {
    return fmt::format("the search is done: no gain of {} since generation {} (--patience {})",
                       percent(gains.least_gain()), gains.last_gain(), patience);
  }
  if (!gains.goes_on(generation, patience)) {
    return fmt::format("last gain of {} in generation {}", percent(gains.least_gain()),
                       gains.last_gain());
  }
  const std::string last =
      fmt::format("still gaining, last in generation {}: try ", gains.last_gain());
  if (reason == StopReason::time_limit) return last + "a greater --time-limit";
  return last + fmt::format("--generations {}", more_generations(generation));
}

}  // namespace

void log_start(const MiningParts& parts, const JobSettings& settings, const Context& context,
               std::uint32_t job, std::uint32_t generation, double dependence_seconds) {
  const Dataset& dataset = parts.dataset();
  const std::uint64_t held_out = parts.rows.held_out ? parts.rows.held_out->rows() : 0;
  const std::vector<std::uint64_t>& held = parts.rows.copies;
  char host[256] = "";
  (void)::gethostname(host, sizeof host - 1);
  nlohmann::ordered_json record{{"version", ATOLL_VERSION},
                                {"host", host},
                                {"job", job},
                                {"ranks", context.communicator.size()},
                                {"threads", parts.pool.threads()},
                                {"backend", parts.resident->device().name()},
                                {"rows", dataset.rows()},
                                {"rows_held_out", held_out},
                                {"attributes", dataset.attributes().size()},
                                {"transactions", parts.rows.items.has_value()},
                                {"copies", std::count(held.begin(), held.end(), dataset.rows())},
                                {"rows_in_memory", held},
                                {"load_seconds", parts.load_seconds},
                                {"device_seconds", parts.device_seconds},
                                {"dependence_seconds", dependence_seconds},
                                {"islands", settings.configuration.experiment.islands},
                                {"generation", generation}};
  if (parts.reducer != nullptr) add_team(record, parts, settings.configuration.machine);
  settings.log->write("start", record);
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

void log_timings(RunLog& log) {
  nlohmann::ordered_json phases = nlohmann::ordered_json::array();
  std::vector<std::string> way;  // the phases that one is within
  for (const PhaseTime& phase : time_line().phases()) {
    way.resize(phase.depth);
    way.push_back(phase.name);
    phases.push_back({{"phase", fmt::format("{}", fmt::join(way, "/"))},
                      {"times", phase.times},
                      {"seconds", phase.spent.wall},
                      {"processor_seconds", phase.spent.processor},
                      {"bytes", phase.bytes},
                      {"peak_bytes", phase.peak}});
  }
  const Spent whole = TimeLine::spent();
  log.write("timings", {{"seconds", whole.wall},
                        {"processor_seconds", whole.processor},
                        {"phases", std::move(phases)}});
}

void log_failure(const Error& error, RunLog& log) {
  log.write("error", {{"status", static_cast<int>(error.status())}, {"message", error.what()}});
}

void announce_repeats(const JobOutcome& outcome, const Experiment& experiment,
                      const Report& report) {
  const auto repeats = static_cast<std::uint32_t>(experiment.repeat);
  report(Severity::info, fmt::format("the search has ended: {}; {}", outcome.text,
                                     repeats == 1 ? "1 repeat follows"
                                                  : fmt::format("{} repeats follow", repeats)));
}

void report_end(const RunStateHeader& header, const Experiment& experiment, StopReason reason,
                const std::optional<GainWatch>& gains, const JobOutcome& outcome,
                const std::string& folder, RunLog& log, const Report& report) {
  nlohmann::ordered_json record = {{"reason", to_string(reason)},
                                   {"generation", header.generation}};
  record.update(outcome.counts);
  record["seconds"] = header.seconds;
  if (gains) record["last_gain"] = gains->last_gain();
  log.write("end", record);
  report(Severity::info,
         fmt::format("{} after generation {}{}: {}",
                     reason == StopReason::stop_after ? "stopped" : to_string(reason),
                     header.generation, experiment.of_generations(" of "), outcome.text));
  for (const std::string& note : outcome.notes) report(Severity::info, note);
  const bool searched = header.generation > 0 && !outcome.print.empty();
  if (gains && ends_run(reason) && searched)
    report(Severity::info, why_ended(header.generation, experiment, reason, *gains));
  if (!ends_run(reason)) {
    report(Severity::info, "go on: atoll resume " + shell_word(folder));
  } else if (!outcome.print.empty()) {
    report(Severity::info, "print them: " + outcome.print);
  }
}

}  // namespace atl
