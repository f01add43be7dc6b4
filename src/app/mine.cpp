#include <memory>

#include <CLI/CLI.hpp>

#include "islands/algorithms.hpp"
#include "src/app/commands.hpp"
#include "src/app/experiment_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/new_run.hpp"
#include "src/app/text_options.hpp"

namespace atl {

Command add_mine(CLI::App& program) {
  auto run = std::make_shared<NewRun>();
  CLI::App* command = program.add_subcommand("mine", "Mine rules into a new run");
  add_new_run_options(
      *command, *run,
      "Dataset file, file of transactions, or a text of either (- is standard input), "
      "imported into RUN");
  add_text_options(*command, TextKinds::any);
  add_experiment_options(*command, algorithms(rule_kind));
  add_machine_options(*command);
  add_team_options(*command);
  command->footer(
      new_run_footer("config.toml rules.csv rules.json history.csv log.jsonl checkpoints/"));
  const auto mine = [command, run](const Context& context) {
    const auto experiment = [&] {
      return experiment_from(*command, algorithms(rule_kind), context.report);
    };
    return begin_run(*command, *run, grammar_name(*command, algorithms(rule_kind)), experiment,
                     context);
  };
  return {
      command, mine, true,
      Submittable{{.section = "mine", .words = {"mine"}, .print = "rules"}, algorithms(rule_kind)}};
}

}  // namespace atl
