#include "src/run/info/run_summary.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "io/results/json_list.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/core/error.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/run/log/log_lines.hpp"
#include "src/work/job_limits.hpp"

namespace atl {

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
