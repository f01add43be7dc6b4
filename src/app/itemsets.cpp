#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "io/transactions/itemset_rule_writer.hpp"
#include "io/transactions/itemset_writer.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/itemset_options.hpp"
#include "src/app/job_options.hpp"
#include "src/backend/itemset_search.hpp"
#include "src/backend/pair_means.hpp"
#include "src/backend/rank_counter.hpp"
#include "src/config/option_values.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/itemset_rules/itemset_rule_search.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/levels/level_task.hpp"
#include "src/run/data/transaction_data.hpp"
#include "src/work/run_task.hpp"
#include "src/work/task_folder.hpp"
#include "src/work/task_output.hpp"

namespace atl {
namespace {

constexpr const char* fewer_threads = "a greater support, fewer --threads or ";

/// Rules, which one process makes without checkpoints.
ExitStatus make_rules_alone(const ItemsetsOptions& options, ItemsetsSettings settings,
                            const Context& context) {
  TaskOutput output = settings.job.to_file ? TaskOutput(options.output) : TaskOutput();
  std::optional<TaskFolder> held;
  if (output.is_file()) {
    held.emplace(output.path(), context.report);
    held->expect_nothing_kept("itemsets --rules", options.force);
  }
  const auto write = [&](std::string_view text) { output.write(text); };
  if (settings.machine.threads == 0) settings.machine.threads = available_cpus();
  ThreadPool pool(settings.machine.threads);
  const MemoryLimit memory(settings.job.memory != 0 ? settings.job.memory : memory_left() / 10 * 9);
  const TransactionSet transactions = within(memory, options.data + " takes", {}, [&] {
    return read_transactions(options.data, settings.form, context.report);
  });
  if (settings.min_support) {
    settings.limits.min_count = settings.min_support->minimum_count(transactions.size());
  }
  std::function<ItemsetLevels()> by_level;
  if (settings.how.by_level) {
    by_level = [&] {
      return search_levels(transactions, settings.limits, settings.machine, memory, pool,
                           context.report);
    };
  }
  std::string found;
  try {
    io::ItemsetRuleWriter writer(transactions.names(), settings.measures, write);
    found =
        make_itemset_rules(transactions, settings.limits, settings.rules, by_level, pool, memory,
                           context.report, [&](const ItemsetRule& rule) { writer.write(rule); });
    writer.finish();
  } catch (const ReaderGone&) {
    return ExitStatus::done;
  }
  if (held) {
    (void)held->held();
    output.commit();
  }
  context.report(Severity::info,
                 fmt::format("{} in at least {} of {}", found, settings.limits.min_count,
                             counted(transactions.size(), "transaction")));
  return ExitStatus::done;
}

ItemsetTaskParts task_parts(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                            const Context& context) {
  ItemsetTaskParts parts;
  parts.data = options.data;
  parts.read = [&] { return read_transactions(options.data, settings.form, context.report); };
  parts.min_count = [&](std::uint64_t transactions) {
    return settings.min_support ? settings.min_support->minimum_count(transactions)
                                : settings.limits.min_count;
  };
  parts.limits = settings.limits;
  parts.lists = !options.count_only;
  parts.make_text = [](const std::vector<std::string>& names, WriteText part) {
    return std::make_unique<io::ItemsetWriter>(names, std::move(part));
  };
  if (settings.how.by_level || settings.how.pairs) return parts;
  const std::string& backend = settings.machine.backend;
  if (backend == "cuda") {
    parts.make_counter = [&](const TransactionSet& transactions, const ItemsetLimits& limits) {
      return counter_of_rank(settings.machine, transactions, limits, context.communicator,
                             context.report);
    };
  }
  if (backend == "auto" && context.communicator.size() == 1) {
    parts.make_rival = [&](const TransactionSet& transactions, const ItemsetLimits& limits) {
      const auto race =
          std::make_shared<DeviceRace>(settings.machine, transactions, limits, context.report);
      return [race](const std::function<bool()>& unwanted) { return race->poll(unwanted); };
    };
  }
  return parts;
}

ExitStatus find_on_ranks(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                         const Context& context) {
  TaskJob job = settings.job;
  job.what_takes_memory = "the search takes";
  job.less_memory = fewer_threads;
  if (settings.how.pairs) {
    std::optional<PairRulesParts> rules;
    if (options.rules) rules = pair_rules(settings.rules, settings.measures);
    PairTask task(task_parts(options, settings, context),
                  pair_means(settings.machine, settings.how.form, context), std::move(rules));
    return run_task(task, job, context);
  }
  if (settings.how.by_level) {
    LevelTask task(task_parts(options, settings, context), [&](const ItemBitmaps& bitmaps,
                                                               const Worker& worker) {
      return candidate_counter(bitmaps, settings.machine, worker.pool, context.report);
    });
    return run_task(task, job, context);
  }
  ItemsetTask task(task_parts(options, settings, context));
  return run_task(task, job, context);
}

ExitStatus find_itemsets(const ItemsetsOptions& options, const Context& context) {
  ItemsetsSettings settings = settings_from(options);
  tell_of_all_rows(options.min_support, context.report);
  const bool counts_all = options.count_only && !options.closed && !options.maximal;
  if (!counts_all && !settings.how.by_level && !settings.how.pairs) {
    if (settings.machine.backend == "cuda") {
      context.report(Severity::info,
                     "the cores search: a GPU does so for --count-only of all sets alone");
    }
    settings.machine.backend = "cpu";
  }
  expect_output(settings.job, options.data, context.communicator);
  const bool shared = settings.is_task && !settings.how.by_level;
  if (context.communicator.size() > 1 && !shared) {
    context.report(Severity::info,
                   "rank 0 alone searches: only the default search and pairs are shared out");
  }
  if (settings.is_task) return find_on_ranks(options, settings, context);
  return context.communicator.rank() == 0 ? make_rules_alone(options, settings, context)
                                          : ExitStatus::done;
}

void expect_itemsets_job(const CLI::App&, const ItemsetsOptions& options) {
  if (settings_from(options).is_task) return;
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
      "--algorithm pairs are shared out and have them.");
  return {command, [options](const Context& context) { return find_itemsets(*options, context); },
          true,
          submittable_file("itemsets", {"itemsets"}, add_itemsets_options, expect_itemsets_job)};
}

}  // namespace atl
