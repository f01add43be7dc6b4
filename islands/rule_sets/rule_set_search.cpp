#include "islands/rule_sets/rule_set_search.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "islands/rule_sets/rule_set_island.hpp"
#include "islands/run_sections.hpp"
#include "src/core/error.hpp"
#include "src/core/near_names.hpp"
#include "src/data/class_folds.hpp"
#include "src/rules/class_target.hpp"

namespace atl {

namespace {

std::uint32_t inner_folds(const Experiment& experiment) {
  const auto folds = static_cast<std::uint32_t>(experiment.settings.at("inner_folds"));
  return folds < 2 ? 1 : folds;
}

UsageError unknown_attribute(const std::string& option, const std::string& name,
                             const Dataset& dataset) {
  std::vector<std::string> names;
  for (const Attribute& attribute : dataset.attributes()) names.push_back(attribute.name);
  return UsageError(option + ": no attribute " + in_quotes(name) + suggestion(name, names));
}

std::vector<bool> usable(const Experiment& experiment, const Dataset& dataset) {
  std::vector<bool> all(dataset.attributes().size(), true);
  for (const std::string& name : experiment.aim.exclude) {
    const auto found = dataset.find(name);
    if (!found) {
      throw unknown_attribute("--exclude", name, dataset);
    }
    all[*found] = false;
  }
  return all;
}

ListSearch list_search(const Experiment& experiment, const ClassSample& sample,
                       std::span<const std::uint64_t> class_rows) {
  ListSearch search;
  search.sample = &sample;
  search.judge.folds = inner_folds(experiment);
  search.judge.weights = class_weights(class_rows, experiment.settings.at("balance"));
  search.judge.comparison_cost = experiment.settings.at("comparison_cost");
  search.most_rules = static_cast<std::size_t>(experiment.settings.at("max_rules"));
  if (search.judge.folds > 1) {
    for (std::uint32_t f = 0; f < search.judge.folds; ++f) search.parts.push_back({f});
  }
  search.parts.push_back({});
  return search;
}

}  // namespace

RuleSetSearch::RuleSetSearch(const Experiment& experiment, Resident& resident)
    : experiment_(experiment),
      resident_(resident),
      class_attribute_(class_attribute(experiment.aim, resident.dataset().attributes())),
      folds_(class_folds(resident.dataset(), class_attribute_, inner_folds(experiment),
                         experiment.seed)),
      sample_(resident.dataset(), class_attribute_,
              {.usable = usable(experiment, resident.dataset()),
               .folds = folds_,
               .fold_count = inner_folds(experiment)}),
      search_(list_search(experiment, sample_, sample_.class_rows())) {}

std::unique_ptr<FoldScorer> RuleSetSearch::scorer() const {
  return std::make_unique<FoldScorer>(
      resident_, ClassifiedRows{class_attribute_, search_.judge.folds, experiment_.seed});
}

std::vector<std::unique_ptr<Island>> RuleSetSearch::islands(
    std::span<const std::uint32_t> numbers) {
  std::vector<std::unique_ptr<Island>> made;
  for (const std::uint32_t number : numbers) {
    made.push_back(std::make_unique<RuleSetIsland>(number, experiment_, search_, scorer()));
  }
  return made;
}

std::unique_ptr<Results> RuleSetSearch::results() const {
  return std::make_unique<RuleSetResults>(search_);
}

void RuleSetSearch::expect_true(const RunState& run) {
  RuleSetResults results(search_);
  ByteReader in(run.section(results_section, results.version()));
  results.merge(in);
  in.expect_end();
  std::vector<const SampledList*> lists;
  for (std::size_t p = 0; p < search_.parts.size(); ++p) {
    for (const auto& list : results.front_of(p)) {
      if (list) lists.push_back(&*list);
    }
  }
  expect_counts(lists);
  for (std::uint32_t i = 0; i < experiment_.islands; ++i) {
    RuleSetIsland island(i, experiment_, search_, nullptr);
    ByteReader bytes(run.section(island_section(i), island.version()));
    island.load(bytes, {});
    bytes.expect_end();
    expect_counts(island.lists());
  }
}

void RuleSetSearch::expect_counts(std::span<const SampledList* const> lists) const {
  std::vector<RuleSet> batch;
  for (const SampledList* list : lists) batch.push_back(list->list());
  std::vector<RuleSetCounts> counts(batch.size());
  const auto counter = scorer();
  counter->start(batch);
  counter->read(counts);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    require_bytes(lists[i]->counts == counts[i], "a list's counts are not those of the data");
  }
}

}  // namespace atl
