#include "src/app/itemset_pairs.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/transactions/itemset_rule_writer.hpp"
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

PairMeans pair_means(const ItemsetsSettings& settings) {
  PairMeans means;
  means.form = settings.pair_form;
  if (settings.machine.backend != "reference") return means;
  means.form = PairForm::bitmap;  // of which all pairs are in rectangles
  means.make_counter = [](PairForm, const PairRows& rows, std::uint32_t, ThreadPool&) {
    return make_reference_pair_counter(rows);
  };
  return means;
}

}  // namespace

ExitStatus count_pairs(const ItemsetsOptions& options, const ItemsetsSettings& settings,
                       ItemsetTaskParts parts, const TaskJob& job, const Context& context) {
  PairTask task(std::move(parts), pair_means(settings), pair_rules(options, settings));
  return run_task(task, job, context);
}

}  // namespace atl
