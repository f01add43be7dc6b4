#include <memory>

#include <CLI/CLI.hpp>

#include "islands/algorithms.hpp"
#include "src/app/commands.hpp"
#include "src/app/experiment_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/new_run.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

namespace {

struct TrainOptions {
  NewRun run;
  std::string class_name;
};

Experiment list_experiment(const CLI::App& command, const std::string& class_name,
                           const Report& report) {
  Experiment experiment = experiment_from(command, {&list_algorithm(), 1}, report);
  if (!class_name.empty()) {
    experiment.aim.target = {quoted_if_needed(class_name, relation_characters) + "=*"};
  }
  return experiment;
}

Command add_train(CLI::App& classify) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* command =
      classify.add_subcommand("train", "Learn a decision list from a table, into a new run");
  add_new_run_options(*command, options->run,
                      "Dataset file, or a text table (- is standard input), imported into RUN");
  command->add_option("--class", options->class_name,
                      "the attribute to be learnt [the one that the data designate]")
      ->type_name("A")
      ->group("Experiment");
  add_experiment_options(*command, {&list_algorithm(), 1});
  add_machine_options(*command);
  command->footer(new_run_footer(
      "config.toml classifier.json classifier.txt history.csv log.jsonl checkpoints/"));
  const auto train = [command, options](const Context& context) {
    return begin_run(
        *command, options->run, "",
        [&] { return list_experiment(*command, options->class_name, context.report); }, context);
  };
  return {command, train, true};
}

}  // namespace

std::vector<Command> add_classify(CLI::App& program) {
  CLI::App* classify = program.add_subcommand(
      "classify", "Learn decision lists that classify, and put rows into classes by them");
  classify->require_subcommand(1);
  return {add_train(*classify)};
}

}  // namespace atl
