#include "src/app/itemset_pairs.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/transactions/itemset_rule_writer.hpp"
#include "src/backend/pair_means.hpp"
#include "src/exhaustive/pairs/pair_task.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

/// The settings must outlive it.
std::optional<PairRulesParts> pair_rules(const ItemsetsOptions& options,
                                         const ItemsetsSettings& settings) {
  if (!options.rules) return std::nullopt;
  PairRulesParts rules;
  rules.choice = settings.rules;
  std::string names;
  for (const Measure measure : settings.measures) names += std::string(info(measure).name) + ' ';
  rules.marks = {{"other --measures", names}};
  rules.make_text = [&settings](const std::vector<std::string>& items, WriteText write,
                                ItemsetRulePart part) {
    return std::make_unique<io::ItemsetRuleWriter>(items, settings.measures, std::move(write),
                                                   part);
  };
  return rules;
}

}  // namespace

ExitStatus count_pairs(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                       ItemsetTaskParts parts, const TaskJob& job, const Context& context) {
  const auto choose = [&](const PairRows& rows) {
    return choose_pair_means(settings.machine, settings.pair_form, rows, context.communicator,
                             context.report);
  };
  PairTask task(std::move(parts), choose, pair_rules(options, settings));
  return run_task(task, job, context);
}

}  // namespace atl
