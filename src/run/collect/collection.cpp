#include "src/run/collect/collection.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/hdf5/data_file.hpp"
#include "io/results/rule_file.hpp"
#include "io/results/run_comparison.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/archive_section.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/compare/merge.hpp"
#include "src/results/written/rescore.hpp"
#include "src/run/collect/sources.hpp"
#include "src/run/data/dependences.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/rules/written_results.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

/// Collects runs into one folder.
class Collection {
 public:
  /// Reads what the runs are and refuses what does not go together; writes nothing.
  Collection(const CollectionPlan& plan, const Report& report)
      : plan_(plan), paths_(plan.output), report_(report), unlogged_(report) {
    sources_ = read_sources(plan.folders, report);
    expect_agreement(sources_);
    for (const Source& source : sources_) {
      std::error_code absent;
      if (fs::equivalent(source.folder, plan.output, absent)) {
        throw UsageError(source.folder + ": is to be collected and cannot be replaced");
      }
    }
    settings_.folder = plan.output;
    settings_.configuration = {sources_.front().configuration.experiment, plan.machine};
    const Machine& first = sources_.front().configuration.machine;
    settings_.configuration.machine.data = first.data;
    settings_.configuration.machine.text = first.text;
  }

  /// Leaves the folder as it was if it fails.
  void run() {
    lock_ = io::create_run(plan_.output, plan_.force);
    try {
      begin();
      merge();
    } catch (...) {
      report_ = unlogged_;  // the log goes before what may still be reported
      log_.reset();
      abandon();
      throw;
    }
    io::drop_former_run(*lock_);
  }

  std::vector<MinedRun> runs() && noexcept { return std::move(runs_); }

 private:
  Experiment& experiment() { return settings_.configuration.experiment; }
  const Machine& machine() const { return settings_.configuration.machine; }

  /// From now on the folder is one that nobody takes for a run to go on with.
  void begin() {
    settings_.lock = lock_.get();
    io::write_file(*lock_, io::run_names::runs, "[]\n");
    io::write_file(*lock_, io::run_names::config, to_toml(settings_.configuration));
    log_ = std::make_unique<RunLog>(*lock_, report_);
    report_ = logging_report(report_, *log_);
  }

  void abandon() {
    try {
      io::abandon_run(*lock_);
    } catch (const Error& error) {
      report_(Severity::warning, std::string("some files are left: ") + error.what());
    }
  }

  void merge() {
    settings_.dataset = find_data();
    const JobRows rows = load_rows(settings_, search_bins(experiment()), alone_);
    const auto attributes = rows.search.attributes();
    if (rows.items) expect_same_items();
    runs_ = read_runs(sources_, attributes, report_);
    experiment() = joint_experiment(runs_, rows.search.rows());
    if (plan_.top != 0) experiment().top = plan_.top;
    experiment().validate();
    RunState state;
    state.header = joint_header();
    const FoundRules found{joint_archive(runs_, experiment(), attributes), {}};
    state.sections = {section_of(found.archive), history_section({})};
    write_rules(found, rows);
    count_collected();
    lock_->require_held();
    io::CheckpointStore(lock_->folder(), 1, report_).save({std::move(state), {}, {}});
    io::write_file(*lock_, io::run_names::config, to_toml(settings_.configuration));
    io::write_file(*lock_, io::run_names::runs, comparison_json(runs_));
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const MinedRun& run : runs_) names.push_back(run.name);
    log_->write("collect", {{"version", ATOLL_VERSION}, {"runs", names}});
  }

  /// A checkpoint has the places of items among those that its run has kept.
  void expect_same_items() const {
    const Experiment& first = sources_.front().configuration.experiment;
    for (const Source& source : sources_) {
      const Experiment& its = source.configuration.experiment;
      if (its.min_support == first.min_support && names_in_aims(its) == names_in_aims(first))
        continue;
      throw UsageError(source.folder + " and " + sources_.front().folder +
                       " have not kept the same items: runs on transactions need the same "
                       "min_support and aims");
    }
  }

  /// A dataset file that holds what the runs were mined from; imports a text table if need be.
  std::string find_data() {
    const Fingerprint wanted = sources_.front().dataset;
    std::string& data = settings_.configuration.machine.data;
    std::string problem;
    const auto holds_it = [&](const std::string& file) {
      if (io::read_data_summary(file).fingerprint == wanted) return true;
      problem = file + ": holds other data than those the runs were mined from";
      return false;
    };
    for (const Source& source : sources_) {
      for (const std::string& file : {source.paths.data, source.configuration.machine.data}) {
        std::error_code absent;
        if (file == standard_input || !fs::exists(file, absent)) continue;
        try {
          if (!is_hdf5(file) || !holds_it(file)) continue;
          data = fs::absolute(file).lexically_normal().string();
          return file;
        } catch (const Error& error) {
          problem = error.what();
        }
      }
    }
    const Source& first = sources_.front();
    const std::string& text = first.configuration.machine.data;
    std::error_code absent;
    if (problem.empty() && text != standard_input && fs::is_regular_file(text, absent)) {
      data = text;
      RunConfiguration configuration = first.configuration;
      configuration.machine.text.options = "atoll mine --";  // as this command has none of them
      std::string file = dataset_of_run(configuration, *lock_, report_);
      if (holds_it(file)) return file;
    }
    if (!problem.empty()) throw Error(ExitStatus::bad_data, problem);
    throw MissingInput(text,
                       "the data of the runs are not there; if they have moved, change `data` "
                       "in [machine] of " +
                           first.paths.config);
  }

  RunStateHeader joint_header() {
    RunStateHeader header;
    header.experiment = experiment().hash();
    header.dataset = sources_.front().dataset;
    for (const MinedRun& run : runs_) {
      header.generation = std::max(header.generation, run.generation);
      header.seconds += run.seconds;
    }
    header.finished = true;
    return header;
  }

  /// As a run does that has such an archive.
  void write_rules(const FoundRules& found, const JobRows& rows) {
    const auto backend = plan_.choose_backend(machine(), {rows.search.rows()}, alone_);
    ThreadPool pool(machine().threads != 0 ? machine().threads : available_cpus());
    const auto resident = backend->load(rows.search, pool);
    expect_true(rows.search.attributes(), *resident);
    const auto grammars = joint_grammars(runs_, rows.search.attributes());
    const RunOrigins origins = origins_of(runs_);
    const Dependences dependences = dependences_of(rows, pool);
    JobTables tables(
        rows, [&] { return load_exact_rows(settings_, rows); }, *backend, resident, pool, report_);
    const MadeList made = make_list(found.archive,
                                    {experiment(), IslandGrammars(grammars), tables, dependences,
                                     [](const ChoiceProgress&) { return true; }},
                                    *log_, &origins);
    write_list(made.list, found.history, experiment(), *lock_);
    report_list(made, found, experiment(), report_);
  }

  /// What is collected may be the run of a stranger.
  void expect_true(std::span<const Attribute> attributes, Resident& resident) const {
    for (const MinedRun& run : runs_) {
      try {
        expect_counts(run.archive, counting_options(run.experiment, attributes), resident);
      } catch (const BadBytes& error) {
        throw BadData(io::RunPaths(run.path).checkpoints, error.what());
      }
    }
  }

  void count_collected() {
    auto rules = io::read_rules(lock_->folder());
    if (experiment().definitions == DefinitionChoice::apart) erase_definitions(rules);
    erase_variants(rules);
    for (MinedRun& run : runs_) {
      run.collected = static_cast<std::uint64_t>(
          std::count_if(rules.begin(), rules.end(),
                        [&](const WrittenRule& rule) { return rule.run == run.name; }));
    }
    report_(Severity::info, fmt::format("collected from {}: {} in {}", counted(runs_.size(), "run"),
                                        counted(rules.size(), "rule"), paths_.rules_csv));
    report_(Severity::info, "print them: atoll rules " + shell_word(paths_.folder));
  }

  const CollectionPlan& plan_;
  io::RunPaths paths_;
  Report report_, unlogged_;
  std::vector<Source> sources_;
  std::unique_ptr<io::RunLock> lock_;
  std::unique_ptr<RunLog> log_;
  LocalCommunicator alone_;
  JobSettings settings_;
  std::vector<MinedRun> runs_;
};

}  // namespace

std::vector<MinedRun> collect_runs(const CollectionPlan& plan, const Report& report) {
  Collection collection(plan, report);
  collection.run();
  return std::move(collection).runs();
}

}  // namespace atl
