#include <memory>
#include <sstream>

#include <CLI/CLI.hpp>

#include "io/results/rule_set_table.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/app/commands.hpp"
#include "src/app/experiment_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/new_run.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/config/option_values.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/wrapped_text.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/lists/prediction.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {
namespace {

Command add_train(CLI::App& classify) {
  auto run = std::make_shared<NewRun>();
  CLI::App* command =
      classify.add_subcommand("train", "Learn a decision list from a table, into a new run");
  add_new_run_options(*command, *run,
                      "Dataset file, or a text table (- is standard input), imported into RUN");
  add_text_options(*command, TextKinds::tables);
  add_experiment_options(*command, algorithms(list_kind));
  add_machine_options(*command);
  command->footer(
      new_run_footer("config.toml classifier.txt classifier.json classifier.pmml\n"
                     "history.csv log.jsonl checkpoints/"));
  const auto train = [command, run](const Context& context) {
    return begin_run(
        *command, *run, "",
        [&] { return experiment_from(*command, algorithms(list_kind), context.report); }, context);
  };
  return {
      command, train, true,
      Submittable{{.section = "train", .words = {"classify", "train"}, .print = "classify rules"},
                  algorithms(list_kind)}};
}

struct PredictOptions {
  std::string run, data;
  std::string output = standard_output;
  std::string keep;
  bool force = false, for_spreadsheets = false;
};

ExitStatus predict(const CLI::App& command, const PredictOptions& options, const Context& context) {
  const TextForm form = text_form_from(command, TextKinds::tables, options.data);
  std::vector<std::string> keep;
  if (command.count("--keep") != 0) keep = list_option("--keep", options.keep);
  const io::WrittenRuleSet written = read_classifier(options.run);
  const bool to_file = options.output != standard_output;
  if (to_file) {
    refuse_existing(options.output, options.force);
    io::refuse_to_overwrite(options.data, options.output);
  }
  const AppliedList list = apply_list(written, options.data, or_as_of_run(form, options.run), false,
                                      context.report, keep);
  std::ostringstream lines;
  list.write_csv(lines,
                 options.for_spreadsheets ? io::Formulas::guarded : io::Formulas::as_they_are);
  if (to_file) {
    io::write_file(options.output, lines.str());
  } else {
    write_stdout_exactly(lines.str());
  }
  context.report(Severity::info, counted(list.rows(), "row") + " written" +
                                     (to_file ? " to " + printable(options.output, 200) : ""));
  report_unseen(list, options.run, context.report);
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
  command
      ->add_option("--keep", options->keep,
                   "columns of DATA that each line begins with, such as the number of a case")
      ->type_name("A,B");
  command->add_flag("--for-spreadsheets", options->for_spreadsheets,
                    "put an apostrophe before labels that a spreadsheet would take for formulas");
  command->footer(
      "Each line has the class, the rule that decides (0: the default), and of each\n"
      "class p, its smoothed share of the training rows that this rule has decided.\n"
      "Columns may stand in any order. A label that the training data did not have is\n"
      "equal to none of theirs.");
  return {command, [command, options](const Context& context) {
            return predict(*command, *options, context);
          }};
}

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
  const AppliedList list =
      apply_list(written, options.data, or_as_of_run(form, options.run), true, context.report);
  const auto truth = list.truth();
  const std::string name = in_quotes(written.class_attribute.name) + ", the class";
  if (!truth) throw BadData(printable(options.data, 200), "has no attribute " + name);
  if (truth->matrix.rows() == 0)
    throw BadData(printable(options.data, 200), "has no row with a value of " + name);
  const std::vector<io::ListFigures> figures = {{"data", list.figures(*truth)}};
  write_stdout(
      fitted(written.text + "\n" + io::list_figures_table(figures), stdout_columns(), rule_indent));
  report_unseen(list, options.run, context.report);
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

}  // namespace

std::vector<Command> add_classify(CLI::App& program) {
  CLI::App* classify = program.add_subcommand(
      "classify", "Learn decision lists that classify, and put rows into classes by them");
  classify->require_subcommand(1);
  return {add_train(*classify), add_predict(*classify), add_cv(*classify),
          add_list_rules(*classify)};
}

}  // namespace atl
