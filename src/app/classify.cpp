#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "io/results/rule_set_table.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/experiment_options.hpp"
#include "src/app/job_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/new_run.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/backend/choice.hpp"
#include "src/config/option_values.hpp"
#include "src/core/agreement.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/data/class_folds.hpp"
#include "src/rules/class_target.hpp"
#include "src/run/data/default_target.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/data/named_attributes.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/lists/cross_validation.hpp"
#include "src/run/lists/prediction.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {

namespace {

AlgorithmTable lists() {
  return algorithms(list_kind);
}

Command add_train(CLI::App& classify) {
  auto run = std::make_shared<NewRun>();
  CLI::App* command =
      classify.add_subcommand("train", "Learn a decision list from a table, into a new run");
  add_new_run_options(*command, *run,
                      "Dataset file, or a text table (- is standard input), imported into RUN");
  add_text_options(*command, TextKinds::tables);
  add_experiment_options(*command, lists());
  add_machine_options(*command);
  command->footer(
      new_run_footer("config.toml classifier.txt classifier.json classifier.pmml\n"
                     "history.csv log.jsonl checkpoints/"));
  const auto train = [command, run](const Context& context) {
    return begin_run(
        *command, *run, "", [&] { return experiment_from(*command, lists(), context.report); },
        context);
  };
  return {
      command, train, true,
      Submittable{{.section = "train", .words = {"classify", "train"}, .print = "classify rules"},
                  lists()}};
}

struct PredictOptions {
  std::string run, data;
  std::string output = standard_output;
  bool force = false;
};

/// The form in which the run's text was said to be read.
TextForm text_of_run(const std::string& folder) {
  const io::Folder run = io::find_run(folder);
  return parse_run_configuration(io::read_file(run, io::run_names::config),
                                 run.path_of(io::run_names::config), algorithms())
      .machine.text;
}

ExitStatus predict(const CLI::App& command, const PredictOptions& options, const Context& context) {
  const TextForm form = text_form_from(command, TextKinds::tables, options.data);
  const io::WrittenRuleSet written = read_classifier(options.run);
  const bool to_file = options.output != standard_output;
  if (to_file) {
    refuse_existing(options.output, options.force);
    io::refuse_to_overwrite(options.data, options.output);
  }
  const AppliedList list = apply_list(
      written, options.data, or_as_of_run(form, text_of_run(options.run)), false, context.report);
  std::ostringstream lines;
  list.write_csv(lines);
  if (to_file) {
    io::write_file(options.output, lines.str());
  } else {
    write_stdout_exactly(lines.str());
  }
  if (const auto truth = list.truth()) report_truth("", *truth, context.report);
  return ExitStatus::done;
}

Command add_predict(CLI::App& classify) {
  auto options = std::make_shared<PredictOptions>();
  CLI::App* command =
      classify.add_subcommand("predict", "Put the rows of a table into classes, a line for each");
  command->add_option("RUN", options->run, "Folder of the run")->required()->type_name("");
  command->add_option("DATA", options->data, "Dataset file, or a text table (- is standard input)")
      ->required()
      ->type_name("");
  add_text_options(*command, TextKinds::tables);
  command->add_option("-o,--output", options->output, "file to write; - is standard output [-]")
      ->type_name("OUT.csv");
  command->add_flag("--force", options->force, "replace the file that is there");
  command->footer(
      "Each line has the class, the rule that decides (0: the default), and the share\n"
      "of each class among the training rows that this rule has decided. Columns may\n"
      "stand in any order. A label that the training data did not have is equal to none\n"
      "of theirs.");
  return {command, [command, options](const Context& context) {
            return predict(*command, *options, context);
          }};
}

/// Indent of the further lines of a rule that is too long for the terminal.
constexpr std::size_t rule_indent = 4;

struct RulesOptions {
  std::string run, data, format = "text";
};

ExitStatus print_rules(const CLI::App& command, const RulesOptions& options,
                       const Context& context) {
  const TextForm form = text_form_from(command, TextKinds::tables, options.data, "on");
  const io::WrittenRuleSet written = read_classifier(options.run);
  const char* file = options.format == "json"   ? io::run_names::classifier_json
                     : options.format == "pmml" ? io::run_names::classifier_pmml
                                                : io::run_names::classifier_text;
  if (options.data.empty()) {
    const std::string text = io::read_file(io::find_run(options.run), file);
    write_stdout_exactly(options.format == "text" ? fitted(text, stdout_columns(), rule_indent)
                                                  : text);
    return ExitStatus::done;
  }
  if (options.format != "text") throw UsageError("--on goes with --format text alone");
  const AppliedList list = apply_list(
      written, options.data, or_as_of_run(form, text_of_run(options.run)), true, context.report);
  const auto truth = list.truth();
  if (!truth) {
    throw BadData(printable(options.data, 200),
                  "has no attribute '" + printable(written.class_attribute.name) + "', the class");
  }
  const std::vector<io::ListFigures> figures = {{"data", list.figures(*truth)}};
  write_stdout(
      fitted(written.text + "\n" + io::list_figures_table(figures), stdout_columns(), rule_indent));
  report_truth("", *truth, context.report);
  return ExitStatus::done;
}

Command add_list_rules(CLI::App& classify) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = classify.add_subcommand("rules", "Print the list of a run");
  command->add_option("RUN", options->run, "Folder of the run")->required()->type_name("");
  command->add_option("--on", options->data, "count its rules on these rows, which have the class")
      ->type_name("DATA");
  add_text_options(*command, TextKinds::tables, "on");
  command->add_option("--format", options->format, "text, json or pmml [text]")
      ->check(CLI::IsMember({"text", "json", "pmml"}))
      ->type_name("F");
  return {command, [command, options](const Context& context) {
            return print_rules(*command, *options, context);
          }};
}

/// Options that only a run has.
constexpr const char* not_validated[] = {"--holdout", "--time-limit", "--migration"};

struct ValidateOptions {
  std::string data, folds = "5", repeats = "1";
  std::string output = standard_output;
  bool json = false, force = false;
};

/// Every value, on every rank. Names the class if nobody has.
ClassifiedData read_classified(const CLI::App& command, const std::string& data,
                               Experiment experiment, const Context& context) {
  std::optional<Dataset> dataset;
  on_all(context.communicator, [&] {
    const TextForm form = text_form_from(command, TextKinds::tables, data);
    io::LoadOptions options = exact_values(experiment);
    for (const std::string& target : experiment.aim.target) {
      if (const auto name = any_value_of(target)) options.labels.push_back(*name);
    }
    options.before_rows = [&](const io::DatasetSummary& summary) {
      experiment = fitted_to_data(experiment, summary, context.report);
    };
    dataset.emplace(option_value("--max-bins", [&] {
      return read_data(data, options, context.report, import_for(experiment), form);
    }));
    expect_two_attributes(*dataset, printable(data, 200));
    if (experiment.aim.target.empty()) {
      experiment.aim.target = {designated_class(dataset->attributes())};
    }
  });
  return {std::move(*dataset), std::move(experiment)};
}

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
  apply_counting_options(command, plan.machine);
  return plan;
}

ExitStatus validate(const CLI::App& command, const ValidateOptions& options,
                    const Context& context) {
  CrossValidationPlan plan = plan_from(command, options);
  plan.choose_backend = make_backend;
  const Experiment experiment = experiment_from(command, lists(), context.report);
  TaskJob job = task_job(command, options.output, options.force);
  job.what_takes_memory = "learning takes";
  job.less_memory = "fewer --threads or ";
  expect_output(job, options.data, context.communicator);
  plan.read = [&] { return read_classified(command, options.data, experiment, context); };
  plan.finish = [&](const CrossValidation& validation, const WriteText& write) {
    write(options.json || job.to_file ? cross_validation_json(validation)
                                      : cross_validation_text(validation));
    return fmt::format("{:.2f}% of {} right, over {}", 100 * accuracy(validation.matrix),
                       counted(validation.matrix.rows(), "row"),
                       counted(validation.folds.size(), "fold"));
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
  command.add_flag("--json", options.json, "print JSON, not a table");
  command.add_flag("--force", options.force, "replace the file that is there");
  add_experiment_options(command, lists());
  for (const char* name : not_validated) command.get_option(name)->group("");  // not in its help
  add_counting_options(command);
  add_job_options(command);
}

void expect_cv_job(const CLI::App& command, const ValidateOptions& options) {
  (void)plan_from(command, options);
  (void)experiment_from(command, lists(), [](Severity, const std::string&) {});
  (void)task_job(command, options.output, options.force);
}

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

}  // namespace

std::vector<Command> add_classify(CLI::App& program) {
  CLI::App* classify = program.add_subcommand(
      "classify", "Learn decision lists that classify, and put rows into classes by them");
  classify->require_subcommand(1);
  return {add_train(*classify), add_predict(*classify), add_cv(*classify),
          add_list_rules(*classify)};
}

}  // namespace atl
