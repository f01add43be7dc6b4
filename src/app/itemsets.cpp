#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/itemset_options.hpp"
#include "src/app/job_options.hpp"
#include "src/config/option_values.hpp"

namespace atl {
namespace {

ExitStatus find(const ItemsetsOptions& options, const Context& context) {
  ItemsetJob job = job_from(options);
  tell_of_all_rows(options.min_support, context.report);
  expect_output(job.task, job.data, context.communicator);
  if (!job.probabilities.empty()) {
    expect_output(job.task, job.probabilities, context.communicator);
  }
  return find_itemsets(std::move(job), context);
}

void expect_itemsets_job(const CLI::App&, const ItemsetsOptions& options) {
  if (job_from(options).is_task) return;
  throw UsageError("--rules has no checkpoints that a next job could go on from");
}

}  // namespace

Command add_itemsets(CLI::App& program) {
  auto options = std::make_shared<ItemsetsOptions>();
  CLI::App* command =
      program.add_subcommand("itemsets", "Find all sets of items that are frequent together");
  add_itemsets_options(*command, *options);
  command->footer(
      "Each line of OUT is a set: its items from the rarest to the most frequent, and\n"
      "in parentheses the number of transactions that have all of them. .xz, .gz, .zst\n"
      "and .bz2 are read as they are. Counting is much faster than listing. --closed\n"
      "and --maximal compare sets of all lengths, also with --min-length and\n"
      "--max-length. The items of such a set may stand in another order.\n"
      "mpirun -n 4 atoll itemsets ... shares out the search; OUT is the same. A search\n"
      "that writes to OUT keeps a checkpoint every minute in OUT.checkpoint. SIGINT,\n"
      "SIGTERM, SIGUSR1 and SIGXCPU stop it with a checkpoint, exit status 75, and the\n"
      "same command goes on, on any number of ranks and threads. With apriori or\n"
      "--rules rank 0 alone searches, and --rules has no checkpoints; rules of\n"
      "--algorithm pairs are shared out and have them. With --algorithm probabilistic\n"
      "the probability stands in parentheses, and OUT.csv and OUT.json say more.");
  return {command, [options](const Context& context) { return find(*options, context); }, true,
          submittable_file("itemsets", {"itemsets"}, add_itemsets_options, expect_itemsets_job)};
}

}  // namespace atl
