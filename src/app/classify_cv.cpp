#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "io/hdf5/data_file.hpp"
#include "islands/algorithms.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/experiment_options.hpp"
#include "src/app/job_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/backend/choice.hpp"
#include "src/backend/early_device.hpp"
#include "src/config/option_values.hpp"
#include "src/core/agreement.hpp"
#include "src/data/class_folds.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/lists/classified_data.hpp"
#include "src/run/lists/cross_validation.hpp"
#include "src/run/lists/cross_validation_report.hpp"

namespace atl {
namespace {

/// Options that only a run has.
constexpr const char* not_validated[] = {"--holdout", "--time-limit", "--migration"};

struct ValidateOptions {
  std::string data, folds = "5", repeats = "1";
  std::string output = standard_output;
  bool compare = false, json = false, force = false;
};

CrossValidationPlan plan_from(const CLI::App& command, const ValidateOptions& options) {
  for (const char* name : not_validated) {
    if (command.count(name) != 0)
      throw UsageError(std::string(name) + " is for atoll classify train");
  }
  if (options.data == standard_input) throw UsageError("DATA of cv is a file: each rank reads it");
  CrossValidationPlan plan;
  plan.folds =
      static_cast<std::uint32_t>(whole_number_option("--folds", options.folds, 2, most_folds));
  plan.repeats =
      static_cast<std::uint32_t>(whole_number_option("--repeats", options.repeats, 1, 1000));
  plan.compare = options.compare;
  apply_counting_options(command, plan.machine);
  return plan;
}

ExitStatus validate(const CLI::App& command, const ValidateOptions& options,
                    const Context& context) {
  CrossValidationPlan plan = plan_from(command, options);
  plan.choose_backend = make_backend;
  const EarlyDevice early(plan.machine, options.data);
  const Experiment experiment = experiment_from(command, algorithms(list_kind), context.report);
  TaskJob job = task_job(command, options.output, options.force);
  job.what_takes_memory = "learning takes";
  job.less_memory = "fewer --max-rules or ";
  expect_output(job, options.data, context.communicator);
  plan.read = [&] {
    std::optional<ClassifiedData> data;
    on_all(context.communicator, [&] {
      const TextForm form = text_form_from(command, TextKinds::tables, options.data);
      data.emplace(read_classified(options.data, form, experiment, context.report));
    });
    return *std::move(data);
  };
  plan.finish = [&](const CrossValidation& validation, const WriteText& write) {
    write(options.json || job.to_file ? cross_validation_json(validation)
                                      : cross_validation_text(validation));
    return cross_validation_line(validation);
  };
  CrossValidationTask task(std::move(plan));
  return run_task(task, job, context);
}

void add_cv_options(CLI::App& command, ValidateOptions& options) {
  command.add_option("DATA", options.data, "Dataset file, or a text table")
      ->required()
      ->type_name("");
  add_text_options(command, TextKinds::tables);
  command
      .add_option("-o,--output", options.output, "file to write as JSON; - is standard output [-]")
      ->type_name("OUT.json");
  add_text(command, "--folds", options.folds, "N", "parts of the rows; equal rows stay together");
  add_text(command, "--repeats", options.repeats, "R", "times, with other folds");
  command.add_flag("--compare", options.compare,
                   "learn a majority, one rule, a greedy list and a tree, too");
  command.add_flag("--json", options.json, "print JSON, not a table");
  command.add_flag("--force", options.force, "replace the file that is there");
  add_experiment_options(command, algorithms(list_kind));
  for (const char* name : not_validated) command.get_option(name)->group("");  // not in its help
  add_counting_options(command);
  add_job_options(command);
}

void expect_cv_job(const CLI::App& command, const ValidateOptions& options) {
  (void)plan_from(command, options);
  std::optional<io::DatasetSummary> summary;
  if (is_hdf5(options.data)) summary = io::read_data_summary(options.data);
  const auto silent = [](Severity, const std::string&) {};
  (void)with_expected_class(experiment_from(command, algorithms(list_kind), silent), summary,
                            options.data);
  (void)task_job(command, options.output, options.force);
}

}  // namespace

Command add_cv(CLI::App& classify) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = classify.add_subcommand(
      "cv", "Cross-validate: learn from all folds of the rows but one, and test on that one");
  add_cv_options(*command, *options);
  command->footer(
      "Ranks share the folds. Nothing of a fold that is tested on is looked at before:\n"
      "the number of rules is chosen by inner folds of the others. With -o, SIGINT,\n"
      "SIGTERM, SIGUSR1 and SIGXCPU stop the job with exit status 75, and the same\n"
      "command goes on from OUT.json.checkpoint; without, nothing is kept.");
  return {
      command,
      [command, options](const Context& context) { return validate(*command, *options, context); },
      true, submittable_file("cv", {"classify", "cv"}, add_cv_options, expect_cv_job)};
}

}  // namespace atl
