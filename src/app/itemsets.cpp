#include "src/exhaustive/itemsets/itemsets.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cuda/itemsets/itemset_counter.hpp"
#include "io/transactions/itemset_rule_writer.hpp"
#include "io/transactions/itemset_writer.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/itemset_options.hpp"
#include "src/app/job_options.hpp"
#include "src/backend/choice.hpp"
#include "src/backend/itemset_search.hpp"
#include "src/core/agreement.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/itemset_rules/itemset_rules.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/levels/level_task.hpp"
#include "src/run/data/transaction_data.hpp"
#include "src/work/run_task.hpp"
#include "src/work/task_output.hpp"

namespace atl {

namespace {

constexpr const char* fewer_threads = "a greater support, fewer --threads or ";
constexpr const char* fewer_sets = "a greater support, a smaller --max-length or ";

/// Finds the sets that rules are made of.
class ItemsetSearch {
 public:
  /// All must outlive it.
  ItemsetSearch(const TransactionSet& transactions, const ItemsetsSettings& settings,
                const MemoryLimit& memory, ThreadPool& pool, const Report& report)
      : transactions_(transactions), settings_(settings), pool_(pool) {
    if (!settings.by_level) return;
    by_level_ =
        search_levels(transactions, settings.limits, settings.machine, memory, pool, report);
  }

  const TransactionSet& transactions() const noexcept { return transactions_; }
  std::vector<std::uint64_t> count() const {
    if (by_level_) return by_level_->by_length(settings_.limits);
    return count_itemsets(transactions_, settings_.limits, pool_);
  }
  void list(ItemsetSink& sink) const {
    if (by_level_) return by_level_->hand_over(settings_.limits, sink);
    list_itemsets(transactions_, settings_.limits, sink);
  }

 private:
  const TransactionSet& transactions_;
  const ItemsetsSettings& settings_;
  ThreadPool& pool_;
  std::optional<ItemsetLevels> by_level_;  // of apriori
};

/// The sets, which are first counted, as that takes little time and no memory.
ItemsetTree kept_sets(const ItemsetSearch& search, const MemoryLimit& memory,
                      const Report& report) {
  const std::uint64_t sets = sum_of(search.count());
  if (sets > ItemsetTree::most_sets) {
    throw UsageError("rules would be made of " + counted(sets, "set") + ", at most " +
                     std::to_string(ItemsetTree::most_sets) +
                     ": take a greater support, or --max-length");
  }
  if (sets * ItemsetTree::set_bytes > memory.left()) {
    throw_too_much(counted(sets, "set") + " to make rules of take 12 bytes each,", fewer_sets,
                   memory);
  }
  report(Severity::info,
         "making rules of " + counted(sets, "set") + ", which are held in memory, 12 bytes each");
  ItemsetTree kept(search.transactions().item_count(), sets);
  search.list(kept);
  return kept;
}

std::string write_rules(const ItemsetSearch& search, const ItemsetsSettings& settings,
                        const WriteText& write, const MemoryLimit& memory, const Report& report) {
  const TransactionSet& transactions = search.transactions();
  std::optional<ItemsetTree> sets;
  if (settings.limits.family == ItemsetFamily::all) sets = kept_sets(search, memory, report);
  const auto make_rules = [&](const std::function<void(const ItemsetRule&)>& use) {
    if (sets) return for_each_rule(*sets, transactions.size(), settings.rules, use);
    for_each_closed_rule(transactions, settings.limits, settings.rules, use);
  };
  io::ItemsetRuleWriter writer(transactions.names(), settings.measures, write);
  const auto write_rule = [&](const ItemsetRule& rule) { writer.write(rule); };
  if (!settings.sort) {
    make_rules(write_rule);
    return counted(writer.finish(), "rule");
  }
  BestItemsetRules best(*settings.sort, settings.top);
  std::uint64_t all = 0;
  make_rules([&](const ItemsetRule& rule) {
    best.take(rule);
    ++all;
  });
  best.hand_over(write_rule);
  const std::uint64_t written = writer.finish();
  return (written < all ? "the best " + std::to_string(written) + " of " : "") +
         counted(all, "rule");
}

/// Rules, which one process makes without checkpoints.
ExitStatus make_rules_alone(const ItemsetsOptions& options, ItemsetsSettings settings,
                            const Context& context) {
  TaskOutput output = settings.job.to_file ? TaskOutput(options.output) : TaskOutput();
  const auto write = [&](std::string_view text) { output.write(text); };
  if (settings.machine.threads == 0) settings.machine.threads = available_cpus();
  ThreadPool pool(settings.machine.threads);
  const MemoryLimit memory(settings.job.memory != 0 ? settings.job.memory : memory_left() / 10 * 9);
  const TransactionSet transactions = within(memory, options.data + " takes", {}, [&] {
    return read_transactions(options.data, settings.form, context.report);
  });
  ItemsetLimits& limits = settings.limits;
  if (settings.min_support) {
    limits.min_count = settings.min_support->minimum_count(transactions.size());
  }
  const auto find = [&] {
    return ItemsetSearch(transactions, settings, memory, pool, context.report);
  };
  std::string found;
  try {
    found = within(memory, "rules take", fewer_sets,
                   [&] { return write_rules(find(), settings, write, memory, context.report); });
  } catch (const ReaderGone&) {
    return ExitStatus::done;
  }
  if (settings.job.to_file) output.commit();
  context.report(Severity::info, fmt::format("{} in at least {} of {}", found, limits.min_count,
                                             counted(transactions.size(), "transaction")));
  return ExitStatus::done;
}

/// The counter of this rank's GPU. Collective.
/// @throws BackendUnavailable on all ranks if one has none
NamedCounter counter_of_rank(const Machine& machine, const TransactionSet& transactions,
                             const ItemsetLimits& limits, const Context& context) {
  Communicator& ranks = context.communicator;
  const BackendChoice choice = choose_backend(machine, {transactions.size()}, ranks);
  std::unique_ptr<ItemsetCounter> counter;
  on_all(ranks, [&] {
    counter = cuda::make_itemset_counter(transactions, choice.options);
    counter->prepare(limits);
  });
  if (ranks.size() == 1) return {std::move(counter), choice.device->name};
  context.report(Severity::info,
                 fmt::format("each of {} counts on {}: {}",
                             counted(static_cast<std::size_t>(ranks.size()), "rank"),
                             choice.sharing > 1 ? "a GPU shared with others" : "a GPU of its own",
                             choice.device->name));
  return {std::move(counter), choice.device->name};
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
  if (settings.by_level) return parts;
  const std::string& backend = settings.machine.backend;
  if (backend == "cuda") {
    parts.make_counter = [&](const TransactionSet& transactions, const ItemsetLimits& limits) {
      return counter_of_rank(settings.machine, transactions, limits, context);
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
  if (settings.by_level) {
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
  const bool counts_all = options.count_only && !options.closed && !options.maximal;
  if (!counts_all && !settings.by_level) {
    if (settings.machine.backend == "cuda") {
      context.report(Severity::info,
                     "the cores search: a GPU does so for --count-only of all sets alone");
    }
    settings.machine.backend = "cpu";
  }
  expect_output(settings.job, options.data, context.communicator);
  if (context.communicator.size() > 1 && (options.rules || settings.by_level)) {
    context.report(Severity::info, "rank 0 alone searches: only the default search is shared out");
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
      "same command goes on, on any number of ranks and threads. With --rules or\n"
      "apriori rank 0 alone searches; --rules has no checkpoints.");
  return {command, [options](const Context& context) { return find_itemsets(*options, context); },
          true,
          submittable_file("itemsets", {"itemsets"}, add_itemsets_options, expect_itemsets_job)};
}

}  // namespace atl
