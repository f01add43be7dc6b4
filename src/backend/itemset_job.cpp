#include "src/backend/itemset_job.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "io/transactions/itemset_rule_writer.hpp"
#include "io/transactions/itemset_writer.hpp"
#include "io/transactions/uncertain_writer.hpp"
#include "src/backend/itemset_search.hpp"
#include "src/backend/pair_means.hpp"
#include "src/backend/rank_counter.hpp"
#include "src/backend/uncertain_means.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/levels/level_task.hpp"
#include "src/exhaustive/uncertain/uncertain_task.hpp"
#include "src/run/data/uncertain_data.hpp"
#include "src/work/task_folder.hpp"
#include "src/work/task_output.hpp"

namespace atl {
namespace {

constexpr const char* fewer_threads = "a greater support, fewer --threads or ";

/// Rules, which one process makes without checkpoints.
ExitStatus make_rules_alone(ItemsetJob job, const Context& context) {
  TaskOutput output = job.task.to_file ? TaskOutput(job.task.output) : TaskOutput();
  std::optional<TaskFolder> held;
  if (output.is_file()) {
    held.emplace(output.path(), context.report);
    held->expect_nothing_kept("itemsets --rules", job.task.force);
  }
  const auto write = [&](std::string_view text) { output.write(text); };
  if (job.machine.threads == 0) job.machine.threads = available_cpus();
  ThreadPool pool(job.machine.threads);
  const MemoryLimit memory(job.task.memory != 0 ? job.task.memory : memory_left() / 10 * 9);
  const TransactionSet transactions = within(memory, job.data + " takes", {}, [&] {
    return read_certain_transactions(job.data, job.form, context.report);
  });
  if (job.min_support) {
    job.limits.min_count = job.min_support->minimum_count(transactions.size());
  }
  std::function<ItemsetLevels()> by_level;
  if (job.how.by_level) {
    by_level = [&] {
      return search_levels(transactions, job.limits, job.machine, memory, pool, context.report);
    };
  }
  std::string found;
  try {
    io::ItemsetRuleWriter writer(transactions.names(), job.measures, write);
    found =
        make_itemset_rules(transactions, job.limits, job.rules, by_level, pool, memory,
                           context.report, [&](const ItemsetRule& rule) { writer.write(rule); });
    writer.finish();
  } catch (const ReaderGone&) {
    return ExitStatus::done;
  }
  if (held) {
    (void)held->held();
    output.commit();
  }
  context.report(Severity::info, fmt::format("{} in at least {} of {}", found, job.limits.min_count,
                                             counted(transactions.size(), "transaction")));
  return ExitStatus::done;
}

/// What all searches share: data and limits.
ItemsetTaskParts common_parts(const ItemsetJob& job, const Context& context) {
  ItemsetTaskParts parts;
  parts.data = job.data;
  parts.read = [&] { return read_certain_transactions(job.data, job.form, context.report); };
  parts.min_count = [&](std::uint64_t transactions) {
    return job.min_support ? job.min_support->minimum_count(transactions) : job.limits.min_count;
  };
  parts.limits = job.limits;
  parts.lists = !job.count_only;
  parts.make_text = [](const std::vector<std::string>& names, WriteText part) {
    return std::make_unique<io::ItemsetWriter>(names, std::move(part));
  };
  return parts;
}

/// Of the search depth first, with what counts instead of the cores or beside them.
ItemsetTaskParts depth_first_parts(const ItemsetJob& job, const Context& context) {
  ItemsetTaskParts parts = common_parts(job, context);
  const std::string& backend = job.machine.backend;
  if (backend == "cuda") {
    parts.make_counter = [&](const TransactionSet& transactions, const ItemsetLimits& limits) {
      return counter_of_rank(job.machine, transactions, limits, context.communicator,
                             context.report);
    };
  }
  if (backend == "auto" && context.communicator.size() == 1) {
    parts.make_rival = [&](const TransactionSet& transactions, const ItemsetLimits& limits) {
      const auto race =
          std::make_shared<DeviceRace>(job.machine, transactions, limits, context.report);
      return [race](const std::function<bool()>& unwanted) { return race->poll(unwanted); };
    };
  }
  return parts;
}

UncertainTaskParts uncertain_parts(const ItemsetJob& job, const Context& context) {
  UncertainTaskParts parts;
  parts.sets = common_parts(job, context);
  parts.sets.make_text = {};
  parts.sets.read = [&] {
    return read_uncertain_transactions(job.data, job.form, job.probabilities, context.report);
  };
  parts.min_probability = job.how.min_probability;
  const io::UncertainForm form = io::uncertain_form(job.task.output);
  if (parts.sets.lists) parts.marks = {{"an OUT of another form", io::to_string(form)}};
  parts.make_text = [form](const std::vector<std::string>& names, WriteText write) {
    return io::make_uncertain_writer(form, names, std::move(write));
  };
  return parts;
}

std::unique_ptr<Task> task_of(const ItemsetJob& job, const Context& context) {
  if (job.how.pairs) {
    std::optional<PairRulesParts> rules;
    if (job.makes_rules) rules = pair_rules(job.rules, job.measures);
    return std::make_unique<PairTask>(common_parts(job, context),
                                      pair_means(job.machine, job.how.form, context),
                                      std::move(rules));
  }
  if (job.how.by_level) {
    return std::make_unique<LevelTask>(
        common_parts(job, context), [&](const ItemBitmaps& bitmaps, const Worker& worker) {
          return candidate_counter(bitmaps, job.machine, worker.pool, context.report);
        });
  }
  if (job.how.probabilistic) {
    return std::make_unique<UncertainTask>(uncertain_parts(job, context),
                                           uncertain_means(job.machine, context));
  }
  return std::make_unique<ItemsetTask>(depth_first_parts(job, context));
}

void tell_of_rank_0(const Context& context) {
  if (context.communicator.size() == 1) return;
  context.report(Severity::info,
                 "rank 0 alone searches: only the default search, pairs and probabilistic are "
                 "shared out");
}

}  // namespace

ExitStatus find_itemsets(ItemsetJob job, const Context& context) {
  const bool counts_all = job.count_only && job.limits.family == ItemsetFamily::all;
  if (job.how.depth_first() && !counts_all) {
    if (job.machine.backend == "cuda") {
      context.report(Severity::info,
                     "the cores search: a GPU does so for --count-only of all sets alone");
    }
    job.machine.backend = "cpu";
  }
  if (!job.is_task) {
    tell_of_rank_0(context);
    return context.communicator.rank() == 0 ? make_rules_alone(std::move(job), context)
                                            : ExitStatus::done;
  }
  job.task.what_takes_memory = "the search takes";
  job.task.less_memory = fewer_threads;
  const std::unique_ptr<Task> task = task_of(job, context);
  if (task->traits().root_alone) tell_of_rank_0(context);
  return run_task(*task, job.task, context);
}

}  // namespace atl
