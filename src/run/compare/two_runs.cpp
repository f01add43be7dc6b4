#include "src/run/compare/two_runs.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "io/results/rule_file.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/config/search_kind.hpp"
#include "src/core/thread_pool.hpp"
#include "src/measures/measures.hpp"
#include "src/results/archive/steering.hpp"
#include "src/results/written/rescore.hpp"
#include "src/run/data/rule_data.hpp"
#include "src/run/data/run_data.hpp"

namespace atl {
namespace {

struct RunToCompare {
  io::Folder folder;
  RunConfiguration configuration;
  std::optional<Fingerprint> data;  ///< of the last checkpoint
  std::vector<WrittenRule> rules;
  std::size_t lines = 0;  ///< the first of them

  const Experiment& experiment() const { return configuration.experiment; }
};

/// @param top  lines at most
RunToCompare read_to_compare(const std::string& name, std::size_t top) {
  io::Folder folder = io::find_run(name);
  const io::RunPaths paths(folder.path());
  RunConfiguration configuration = parse_run_configuration(
      io::read_file(folder, io::run_names::config), paths.config, algorithms());
  const Experiment& experiment = configuration.experiment;
  expect_kind(rule_kind, experiment, name);
  if (!folder.has(io::run_names::rules_json)) {
    throw MissingInput(paths.rules_json,
                       "no rules yet: they are written when a job of the run ends");
  }
  std::vector<WrittenRule> rules = io::read_rules(folder);
  const auto is_line = [&](const WrittenRule& rule) {
    const bool apart =
        rule.kind == RuleKind::definition && experiment.definitions == DefinitionChoice::apart;
    return rule.kind != RuleKind::variant && !apart;
  };
  const auto end = std::stable_partition(rules.begin(), rules.end(), is_line);
  const auto lines = static_cast<std::size_t>(end - rules.begin());
  const auto silent = [](Severity, const std::string&) {};
  const auto header = io::CheckpointStore(folder, 1, silent).latest_header();
  std::optional<Fingerprint> data;
  if (header) data = header->dataset;
  return {std::move(folder), std::move(configuration), data, std::move(rules),
          std::min(lines, top)};
}

/// The data that both were mined from, if they are at hand.
std::optional<CommonData> data_of_both(const RunToCompare& a, const RunToCompare& b,
                                       const Report& report) {
  const auto by_text = [&](const std::string& why) {
    report(Severity::info, why +
                               ", so rules are compared by their text; --on DATA compares the "
                               "rows that they cover");
    return std::optional<CommonData>();
  };
  if (a.data != b.data || !a.data) return by_text("the runs are on other data");
  for (const RunToCompare* const run : {&a, &b}) {
    if (run->folder.has(io::run_names::data)) {
      return CommonData{run->folder.path_of(io::run_names::data), {}};
    }
    const std::string& data = run->configuration.machine.data;
    std::error_code absent;
    const bool there = data != standard_input && std::filesystem::exists(data, absent);
    if (there && is_hdf5(data)) return CommonData{data, {}};
  }
  return by_text("the data of the runs are not there");
}

void note_rows(io::OverlapReport& found, const std::array<RunToCompare, 2>& runs,
               const CommonData& data, const Report& report) {
  std::vector<WrittenRule> all = found.runs[0].rules;
  all.insert(all.end(), found.runs[1].rules.begin(), found.runs[1].rules.end());
  const Machine& machine = runs[0].configuration.machine;
  const Dataset dataset = read_data_of_rules(data.path, all, or_as_of_run(data.form, machine.text),
                                             runs[0].folder, machine.data, report);
  ThreadPool pool(available_cpus());
  const auto resident = make_cpu_device(pool)->load(dataset);
  found.data = data.path == standard_input ? "standard input" : data.path;
  std::vector<RowsOfRules> rows;
  const bool aimed = runs[0].experiment().aim.has_target() &&
                     runs[0].experiment().aim == runs[1].experiment().aim &&
                     !runs[0].experiment().aim.concludes_mean();
  for (std::size_t i = 0; i < 2; ++i) {
    io::OverlappingRun& run = found.runs[i];
    rescore(run.rules, *resident, runs[i].experiment(), found.data);
    for (std::size_t k = 0; k < run.rules.size(); ++k) {
      run.values[k] = evaluate(found.measure, run.rules[k].rescored->table);
    }
    rows.emplace_back(run.rules, dataset, pool);
    if (aimed) run.figure = rows.back().merit(run.lines);
  }
  found.runs[0].counterparts = rows[0].counterparts_in(rows[1]);
  found.runs[1].counterparts = rows[1].counterparts_in(rows[0]);
}

}  // namespace

void compare_two_runs(const std::array<std::string, 2>& folders,
                      const std::optional<CommonData>& data, std::size_t top, const Report& report,
                      const std::function<void(const io::OverlapReport&)>& show) {
  const std::array<RunToCompare, 2> runs = {read_to_compare(folders[0], top),
                                            read_to_compare(folders[1], top)};
  const Experiment& first = runs[0].experiment();
  if (first.aim.concludes_mean() != runs[1].experiment().aim.concludes_mean()) {
    throw UsageError(printable(folders[first.aim.concludes_mean() ? 0 : 1]) +
                     " mines rules about a mean, the other run does not");
  }
  io::OverlapReport found{steering_measure(first.archive_by, first), {}, {}};
  if (first.archive_by != runs[1].experiment().archive_by) {
    report(Severity::info, "both by " + first.archive_by + ", the measure of " +
                               printable(folders[0]) + "; the other run is after " +
                               runs[1].experiment().archive_by);
  }
  if (found.measure == Measure::contrast) {
    report(Severity::info,
           "values are left out: contrast is about the rows beside a rule, which compare does not "
           "count");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    io::OverlappingRun& run = found.runs[i];
    run.name = folders[i];
    run.rules = runs[i].rules;
    run.lines = runs[i].lines;
    for (const WrittenRule& rule : run.rules) {
      run.values.push_back(evaluate(found.measure, rule.table));
    }
  }
  const auto common = data ? data : data_of_both(runs[0], runs[1], report);
  if (common) {
    note_rows(found, runs, *common, report);
  } else {
    found.runs[0].counterparts = counterparts(found.runs[0].rules, found.runs[1].rules);
    found.runs[1].counterparts = counterparts(found.runs[1].rules, found.runs[0].rules);
  }
  show(found);
}

}  // namespace atl
