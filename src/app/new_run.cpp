#include "src/app/new_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/dataset_file.hpp"
#include "src/app/backend.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/config/experiment.hpp"
#include "src/core/cpus.hpp"
#include "src/core/utf8.hpp"
#include "src/exhaustive/rules/duration.hpp"
#include "src/exhaustive/rules/items.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/loop/run_jobs.hpp"

namespace atl {

namespace {

namespace fs = std::filesystem;

constexpr const char* new_run_rest =
    ",\n"
    "and data.h5 if DATA is text. SIGINT, SIGTERM, SIGUSR1, SIGXCPU and a file\n"
    "RUN/stop end the job after the current generation, with a checkpoint and the\n"
    "results so far, exit status 75; a second SIGINT ends it at once. A signal before\n"
    "the first generation, while data are imported or loaded, ends the job as usual;\n"
    "atoll resume then begins again.";

RunConfiguration configuration_from(const CLI::App& command, const NewRun& options,
                                    const std::function<Experiment()>& experiment) {
  RunConfiguration configuration;
  configuration.experiment = experiment();
  apply_machine_options(command, configuration.machine);
  const bool is_file = options.data != standard_input && is_hdf5(options.data);
  apply_text_options(command, is_file, configuration);
  std::string& data = configuration.machine.data = options.data;
  if (options.data != standard_input) {
    data = fs::absolute(options.data).lexically_normal().string();
  }
  if (first_invalid_utf8(data) != data.size()) {
    throw UsageError("DATA: the name " + in_quotes(data) +
                     " is not UTF-8, in which config.toml has it");
  }
  return configuration;
}

constexpr std::uint64_t most_bits = std::uint64_t{1} << 28;  // of rows and labels, 32 MiB
constexpr double most_seconds = 60;
constexpr std::size_t usual_top = 100;  // of atoll enumerate

bool is_small_table_of_labels(const io::DatasetSummary& summary) {
  if (summary.of_transactions) return false;
  std::uint64_t labels = 0;
  for (const Attribute& attribute : summary.attributes) {
    if (has_numbers(attribute.kind)) return false;
    labels += attribute.distinct();
  }
  return summary.attributes.size() >= 2 && may_be_tried(labels, summary.rows) &&
         labels <= most_bits / std::max<std::uint64_t>(1, summary.rows);
}

/// Does the run look for what the best rules by leverage are?
bool is_after_leverage(const Experiment& experiment) {
  return experiment.algorithm->traits.associations && experiment.aim.open() &&
         experiment.archive_by == "leverage" && experiment.holdout == 0;
}

std::string about(double seconds) {
  if (seconds < 0.1) return "less than 0.1 s";
  return seconds < 1 ? fmt::format("about {:.1f} s", seconds)
                     : fmt::format("about {:.0f} s", seconds);
}

/// Where an exact search for what the experiment is after takes little time, because the table is
/// small and has labels only, says so in a line. Reads the table to tell.
void tell_of_exact_search(const std::string& dataset, const io::Folder& run,
                          const RunConfiguration& configuration, const Report& report) {
  const Experiment& experiment = configuration.experiment;
  if (!is_after_leverage(experiment)) return;
  if (!is_small_table_of_labels(io::read_data_summary(dataset, &run))) return;
  io::LoadOptions options;
  options.folder = &run;
  const Items items(io::read_dataset(dataset, options));
  RuleLimits limits;
  limits.min_count = experiment.min_support.minimum_count(items.rows());
  const std::uint32_t threads = configuration.machine.threads;
  ThreadPool pool(threads != 0 ? threads : available_cpus());
  const auto seconds = enumeration_seconds(items, limits, usual_top, pool);
  if (!seconds || *seconds > most_seconds) return;
  report(Severity::info,
         fmt::format("atoll enumerate would find the best rules of this table up to "
                     "{} comparisons exactly, in {}",
                     limits.max_length, about(*seconds)));
}

}  // namespace

void add_new_run_options(CLI::App& command, NewRun& run, const char* data_help) {
  command.add_option("DATA", run.data, data_help)->required()->type_name("");
  command.add_option("-o,--output", run.folder, "folder of the run")->required()->type_name("RUN");
  command.add_flag("--force", run.force,
                   "replace the run that is there, once the new one has begun");
}

std::string new_run_footer(const std::string& files) {
  return "DUR is a duration such as 90s, 15m or 1h30m.\nRUN holds " + files + new_run_rest;
}

ExitStatus begin_run(const CLI::App& command, const NewRun& options, const std::string& grammar,
                     const std::function<Experiment()>& experiment, const Context& context) {
  refuse_standard_output(options.folder, "a run is a folder, name one");
  FirstJob first;
  first.folder = options.folder;
  first.stop_after = stop_after(command);
  first.choose_backend = make_backend;
  first.force = options.force;
  first.grammar = grammar;
  first.configuration = [&] { return configuration_from(command, options, experiment); };
  first.on_data = tell_of_exact_search;
  return begin_run(first, context);
}

}  // namespace atl
