#include "src/app/new_run.hpp"

#include <filesystem>

#include <CLI/CLI.hpp>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/dataset_file.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/backend/choice.hpp"
#include "src/backend/early_device.hpp"
#include "src/config/experiment.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/utf8.hpp"
#include "src/exhaustive/rules/exact_search.hpp"
#include "src/run/data/default_target.hpp"
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
  apply_text_options(command, is_hdf5(options.data), configuration);
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

/// Where an exact search for what the experiment is after takes little time, because the table is
/// small and has labels only, says so in a line. Reads the table to tell.
void tell_of_exact_search(const std::string& dataset, const io::Folder& run,
                          const RunConfiguration& configuration, const Report& report) {
  const Experiment& experiment = configuration.experiment;
  if (!is_after_leverage(experiment)) return;
  const io::DatasetSummary summary = io::read_data_summary(dataset, &run);
  if (summary.of_transactions || !is_small_table_of_labels(summary.attributes, summary.rows))
    return;
  io::LoadOptions options;
  options.folder = &run;
  const auto hint = exact_search_hint(io::read_dataset(dataset, options), experiment.min_support,
                                      configuration.machine.threads);
  if (hint) report(Severity::info, *hint);
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
  Machine machine;
  apply_counting_options(command, machine);
  const EarlyDevice early(machine, options.data);
  FirstJob first;
  first.folder = options.folder;
  first.stop_after = stop_after(command);
  first.choose_backend = make_backend;
  first.force = options.force;
  first.grammar = grammar;
  first.configuration = [&] { return configuration_from(command, options, experiment); };
  const CLI::Option* const order = command.get_option_no_throw("--order");
  first.on_data = [&](const std::string& dataset, const io::Folder& run,
                      const RunConfiguration& configuration, const Report& report) {
    if (order != nullptr && order->count() != 0) expect_list_order(configuration.experiment);
    tell_of_exact_search(dataset, run, configuration, report);
  };
  return begin_run(first, context);
}

}  // namespace atl
