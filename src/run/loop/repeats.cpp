#include "src/run/loop/repeats.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/results/rule_file.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/run/info/run_summary.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/loop/job.hpp"

namespace atl {
namespace {

constexpr const char* ended_search = "ended-search";
constexpr std::uint32_t ended_search_version = 1;

std::uint32_t repeats_of(const JobSettings& settings) {
  return static_cast<std::uint32_t>(settings.configuration.experiment.repeat);
}

/// The run in the folder of a repeat; nothing if there is none, or one of another experiment.
std::optional<io::Folder> begun(const JobSettings& settings, std::uint32_t number) {
  auto run = settings.lock->folder().folder(io::run_names::repeat(number));
  if (!run || !io::is_run(*run)) return std::nullopt;
  const RunConfiguration its =
      parse_run_configuration(io::read_file(*run, io::run_names::config),
                              run->path_of(io::run_names::config), algorithms());
  if (its.experiment != settings.configuration.experiment.repeated(number)) return std::nullopt;
  return run;
}

/// Has the last job of the repeat come to its end, with its rules written?
bool has_ended(const JobSettings& settings, std::uint32_t number) {
  const auto run = begun(settings, number);
  if (!run || !run->has(io::run_names::rules_json)) return false;
  std::ifstream log = open_log(*run);
  const JobHistory history = job_history(log);
  if (history.loading || history.jobs.empty()) return false;
  const std::string& end = history.jobs.back().end;
  return end == to_string(StopReason::finished) || end == to_string(StopReason::time_limit);
}

/// What rank 0 holds of a repeat.
struct HeldRepeat {
  std::unique_ptr<io::RunLock> lock;
  std::unique_ptr<RunLog> log;
};

/// Opens the run of a repeat on rank 0, a new one unless it has begun.
void open(HeldRepeat& held, const JobSettings& settings, const Report& report) {
  const bool goes_on = begun(*settings.repeats, settings.number).has_value();
  const io::LockOptions options{.report = report};
  held.lock = goes_on ? io::lock_run(settings.folder, options)
                      : io::create_run(settings.folder, true, options);
  if (!goes_on) {
    io::write_file(*held.lock, io::run_names::config, to_toml(settings.configuration));
    io::drop_former_run(*held.lock);
  }
  held.log = std::make_unique<RunLog>(*held.lock, report);
}

StopReason go_on_with(std::uint32_t number, const Context& context, const JobSettings& whole,
                      MiningParts& parts, const StopSignals& signals) {
  JobSettings settings = whole;
  settings.repeats = &whole;
  settings.number = number;
  settings.folder = whole.folder + "/" + io::run_names::repeat(number);
  settings.configuration.experiment = whole.configuration.experiment.repeated(number);
  // Of a text the run has made a dataset, which others can read as well.
  settings.configuration.machine.data = std::filesystem::absolute(whole.dataset).lexically_normal();
  settings.configuration.machine.text = {};
  settings.on_begun = {};
  HeldRepeat held;
  Context quiet = context;
  on_root(context.communicator, [&] {
    open(held, settings, context.report);
    settings.lock = held.lock.get();
    settings.log = held.log.get();
    quiet.report = logging_report([](Severity, const std::string&) {}, *held.log);
    whole.log->write("repeat", {{"number", number}, {"of", repeats_of(whole)}});
  });
  return Job(quiet, settings, parts).run(signals);
}

}  // namespace

bool list_is_written(const JobSettings& settings) {
  return begun(settings, 1).has_value() && settings.lock->folder().has(io::run_names::rules_json);
}

StopReason go_on_with_repeats(const Context& context, const JobSettings& settings,
                              MiningParts& parts, const StopSignals& signals) {
  for (std::uint32_t number = 1; number <= repeats_of(settings); ++number) {
    const std::string left = text_of_root(
        context.communicator, [&] { return has_ended(settings, number) ? "" : "left"; });
    if (left.empty()) continue;
    const StopReason end = go_on_with(number, context, settings, parts, signals);
    if (!ends_run(end)) return end;
  }
  return StopReason::finished;
}

std::vector<std::vector<WrittenRule>> rules_of_repeats(const JobSettings& settings) {
  std::vector<std::vector<WrittenRule>> rules;
  for (std::uint32_t number = 1; number <= repeats_of(settings); ++number) {
    if (!has_ended(settings, number)) return {};
    rules.push_back(io::read_rules(*begun(settings, number)));
  }
  return rules;
}

std::string repeat_text(const JobSettings& settings) {
  if (settings.repeats == nullptr) return "";
  return fmt::format("repeat {} of {}: ", settings.number, repeats_of(*settings.repeats));
}

Section ended_search_section() {
  return {ended_search, ended_search_version, {}};
}

bool has_ended_search(const RunState& state) {
  return std::any_of(state.sections.begin(), state.sections.end(),
                     [](const Section& section) { return section.name == ended_search; });
}

}  // namespace atl
