#include "src/run/info/run_summary.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "io/results/json_list.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/core/error.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/core/text/time_text.hpp"
#include "src/run/log/run_log.hpp"
#include "src/work/job_limits.hpp"

namespace atl {
namespace {

using Event = nlohmann::json;

std::string text(const Event& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<std::uint64_t> number(const Event& event, const char* key) {
  const auto found = event.find(key);
  if (found == event.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::uint64_t>();
}

bool flag(const Event& event, const char* key) {
  const auto found = event.find(key);
  return found != event.end() && found->is_boolean() && found->get<bool>();
}

/// Takes in events one after the other.
class HistoryReader {
 public:
  void take(const Event& event) {
    const std::string kind = text(event, "event");
    if (kind == "start") {
      begin(event);
    } else if (kind == "resume") {
      open_ = false;
      history_.loading = true;
    } else if (kind == "repeat") {
      history_.repeat = {number(event, "number").value_or(0), number(event, "of").value_or(0)};
    } else if (kind == "error" && !open_) {
      history_.loading = false;  // it failed before it began
    } else if (kind == "warning") {
      (open_ ? history_.jobs.back().warnings : early_warnings_).push_back(text(event, "message"));
    }
    if (!open_) return;
    JobRecord& job = history_.jobs.back();
    const auto began = parse_utc(job.began), now = parse_utc(text(event, "time"));
    if (began && now) job.seconds = std::max(std::round((*now - *began) * 1000) / 1000, 0.0);
    job.to = std::max(job.to, number(event, "generation").value_or(0));
    if (kind != "end" && kind != "error") return;
    job.end = kind == "end" ? text(event, "reason") : "failed: " + text(event, "message");
    if (job.end.empty()) job.end = "ended";
    open_ = false;
  }

  JobHistory finished() && { return std::move(history_); }

 private:
  void begin(const Event& event) {
    JobRecord job;
    job.job = number(event, "job").value_or(history_.jobs.size() + 1);
    job.host = text(event, "host");
    job.ranks = number(event, "ranks").value_or(0);
    job.team = number(event, "team").value_or(1);
    job.threads = number(event, "threads").value_or(0);
    job.backend = text(event, "backend");
    job.began = text(event, "time");
    job.from = number(event, "generation").value_or(0);
    job.rows = number(event, "rows").value_or(0);
    job.attributes = number(event, "attributes").value_or(0);
    job.of_transactions = flag(event, "transactions");
    job.warnings = std::exchange(early_warnings_, {});
    history_.jobs.push_back(std::move(job));
    history_.loading = false;
    open_ = true;
  }

  JobHistory history_;
  std::vector<std::string> early_warnings_;  // of the job to come
  bool open_ = false;                        // the last job has not ended
};

}  // namespace

JobHistory job_history(std::istream& log) {
  HistoryReader reader;
  for_each_log_line(log, [&](std::string_view line, std::uint64_t) {
    const Event event = Event::parse(line, nullptr, false);
    if (event.is_object()) reader.take(event);
  });
  return std::move(reader).finished();
}

bool RunSummary::ended() const noexcept {
  return !history.loading && (history.jobs.empty() || !history.jobs.back().end.empty());
}

bool RunSummary::stopped() const noexcept {
  constexpr std::array reasons = {StopReason::stop_after, StopReason::stop_file,
                                  StopReason::signal};
  return !history.jobs.empty() &&
         std::any_of(reasons.begin(), reasons.end(), [&](StopReason reason) {
           return history.jobs.back().end == to_string(reason);
         });
}

std::string RunSummary::end_of(const JobRecord& job) const {
  if (!job.end.empty()) return job.end;
  const bool last = &job == &history.jobs.back();
  return last && running() && !history.loading ? "running" : "killed or lost";
}

std::string RunSummary::next() const {
  const SearchKind& kind = configuration.experiment.kind();
  if (collected_from && !rules_are_final()) {
    if (running()) return "atoll info " + shell_word(folder);
    return "atoll collect RUN... -o " + shell_word(folder) + " --force";
  }
  if (running()) return "atoll watch " + shell_word(folder);
  if (rules_are_final()) {
    return how_to_print(kind, folder);
  }
  if (damaged()) {
    return std::string(kind.begin_command) + " " + shell_word(data) + " -o " +
           shell_word(folder + ".again") + " --config " + shell_word(folder + "/config.toml");
  }
  return "atoll resume " + shell_word(folder);
}

namespace {

/// The names of the collected runs; none as long as it is being collected.
std::vector<std::string> names_of_runs(const io::Folder& run) {
  std::vector<std::string> names;
  try {
    io::for_each_in_json_list(io::read_file(run, io::run_names::runs),
                              run.path_of(io::run_names::runs), "run",
                              [&](const nlohmann::json& of) { names.push_back(of.at("run")); });
  } catch (const BadData&) {
    names.clear();
  }
  return names;
}

}  // namespace

RunSummary summarise_run(const std::string& folder) {
  const io::Folder run = io::find_run(folder);
  const io::RunPaths paths(run.path());
  RunSummary summary;
  summary.folder = folder;
  summary.owner = io::folder_owner(folder);  // before the log: a job that ends has said so by then
  summary.configuration = parse_run_configuration(io::read_file(run, io::run_names::config),
                                                  paths.config, algorithms());
  const Machine& machine = summary.configuration.machine;
  const io::CheckpointStore store(run, machine.checkpoints_kept,
                                  [](Severity, const std::string&) {});
  summary.checkpoints = store.list();
  // No job goes on from another run's checkpoints that were put among them.
  const Hash128 own = summary.configuration.experiment.hash();
  for (const io::CheckpointFile& file : summary.checkpoints) {
    const bool is_own = file.header && file.header->experiment == own;
    const bool had_own = summary.checkpoint && summary.checkpoint->experiment == own;
    if (!summary.checkpoint || (is_own && !had_own)) summary.checkpoint = file.header;
  }
  std::ifstream log = open_log(run);
  summary.history = job_history(log);
  try {
    summary.rules = io::read_rules(run);
    if (summary.configuration.experiment.definitions == DefinitionChoice::apart)
      erase_definitions(*summary.rules);
  } catch (const MissingInput&) {
    // None yet.
  } catch (const BadData&) {
    summary.rules_damaged = true;
  }
  if (run.has(io::run_names::classifier_text)) {
    summary.classifier = io::read_file(run, io::run_names::classifier_text);
    const std::string& text = *summary.classifier;
    // A rule a line, then the default and an empty line.
    const auto end =
        text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find("\n\n"), text.size()));
    summary.list_rules = static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
  }
  if (io::is_collected(run)) summary.collected_from = names_of_runs(run);
  std::error_code ignored;
  summary.data = std::filesystem::exists(paths.data, ignored) ? paths.data : machine.data;
  return summary;
}

}  // namespace atl
