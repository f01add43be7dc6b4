#include "islands/rule_sets/rule_set_search.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "islands/archipelago/run_sections.hpp"
#include "islands/rule_sets/rule_set_island.hpp"
#include "src/core/error.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/time_line.hpp"
#include "src/rules/class_target.hpp"

namespace atl {
namespace {

constexpr std::string_view goals[] = {"classes", "probabilities"};  // as ListGoal has them

constexpr AlgorithmKey rule_sets_keys[] = {
    {.name = "max_rules",
     .kind = KeyKind::rules,
     .placeholder = "N",
     .help =
         "most rules of a list, without the default; 0: 40, or 4 for each class if that is more, "
         "but beyond 400 one for each class"},
    {.name = "max_alternatives",
     .kind = KeyKind::alternatives,
     .placeholder = "N",
     .help = "most conjunctions of a rule, joined by OR",
     .formerly = 1},
    {.name = "comparison_cost",
     .kind = KeyKind::cost,
     .placeholder = "X",
     .help = "rows that a comparison has to gain to be worth it"},
    {.name = "for",
     .kind = KeyKind::choice,
     .placeholder = "GOAL",
     .help =
         "what lists are for: classes, to say as many right as they can; or probabilities, to tell "
         "how likely each is (log-loss)",
     .formerly = 0,
     .choices = goals},
    {.name = "inner_folds",
     .kind = KeyKind::folds,
     .placeholder = "N",
     .help = "folds of the training rows by which the number of rules is chosen; 0: the most "
             "accurate list on all of them"},
    {.name = "balance",
     .kind = KeyKind::share,
     .placeholder = "X",
     .help = "rows of rare classes weigh more: a row weighs its class's size to the power of -X; "
             "without =X all classes weigh the same",
     .implied = 1}};

/// Rows of the sample that a rule has to gain.
constexpr double least_rows_gained = 2;
/// Share of the rows of a class that a comparison costs at most by the second price.
constexpr double share_of_class = 0.02;

std::uint32_t inner_folds(const Experiment& experiment) {
  const auto folds = static_cast<std::uint32_t>(experiment.settings.at("inner_folds"));
  return folds < 2 ? 1 : folds;
}

UsageError unknown_attribute(const std::string& name, const Dataset& dataset,
                             std::uint32_t class_attribute) {
  std::vector<std::string> names;
  for (std::uint32_t a = 0; a < dataset.attributes().size(); ++a)
    if (a != class_attribute) names.push_back(dataset.attributes()[a].name);
  return UsageError("--exclude: no attribute " + in_quotes(name) + suggestion(name, names));
}

/// @param class_attribute  is none of those that rules name in any case
std::vector<bool> usable(const Experiment& experiment, const Dataset& dataset,
                         std::uint32_t class_attribute) {
  std::vector<bool> all(dataset.attributes().size(), true);
  for (const std::string& name : experiment.aim.exclude) {
    const auto found = dataset.find(name);
    if (!found) throw unknown_attribute(name, dataset, class_attribute);
    if (*found == class_attribute) {
      throw UsageError("--class and --exclude both name " + in_quotes(name));
    }
    all[*found] = false;
  }
  return all;
}

ListSearch list_search(const Experiment& experiment, const ClassSample& sample, ThreadPool* pool) {
  const std::span<const std::uint64_t> class_rows = sample.class_rows();
  ListSearch search;
  search.sample = &sample;
  search.pool = pool;
  search.islands = experiment.islands;
  search.judge.goal =
      experiment.settings.at("for") == 0 ? ListGoal::classes : ListGoal::probabilities;
  search.judge.folds = inner_folds(experiment);
  search.judge.weights = class_weights(class_rows, experiment.settings.at("balance"));
  const double cost = experiment.settings.at("comparison_cost");
  auto& costs = search.judge.costs;
  costs.push_back(comparison_costs(search.judge.weights, class_rows, cost, 1));
  auto exact = comparison_costs(search.judge.weights, class_rows, cost, share_of_class);
  // Only folds let a price be chosen.
  if (search.judge.folds > 1 && exact != costs.front()) costs.push_back(std::move(exact));
  search.growth.weights = search.judge.weights;
  search.growth.costs = search.judge.costs;
  search.growth.most_comparisons = experiment.max_length;
  search.growth.least_rows = least_rows_gained;
  search.most_rules = most_rules_of(experiment, class_rows.size());
  search.room = std::max<std::size_t>(experiment.population / (search.most_rules + 1), 2);
  search.most_alternatives = static_cast<std::size_t>(experiment.settings.at("max_alternatives"));
  for (std::uint32_t price = 0; price < search.judge.costs.size(); ++price) {
    for (std::uint32_t f = 0; search.judge.folds > 1 && f < search.judge.folds; ++f) {
      search.parts.push_back({f, price});
    }
    search.parts.push_back({{}, price});
  }
  return search;
}

std::shared_ptr<const ClassSample> make_sample(const Experiment& experiment, Resident& resident,
                                               std::uint32_t class_attribute,
                                               std::span<const std::uint8_t> folds) {
  const TimedPhase phase("rows by class");
  const Dataset& dataset = resident.dataset();
  return std::make_shared<const ClassSample>(
      dataset, class_attribute,
      ClassSample::Options{.usable = usable(experiment, dataset, class_attribute),
                           .folds = folds,
                           .fold_count = inner_folds(experiment),
                           .pool = resident.readers()});
}

}  // namespace

std::uint64_t most_list_bytes(const ListSearch& search, std::span<const std::uint32_t> islands) {
  const auto class_rows = search.sample->class_rows();
  const auto rows = std::accumulate(class_rows.begin(), class_rows.end(), std::uint64_t{0});
  const std::uint64_t places = std::uint64_t{search.judge.folds} * search.judge.classes();
  const std::uint64_t most = std::min<std::uint64_t>(search.most_rules, rows / 2);
  std::uint64_t of_sizes = 0;  // a list of each number of rules, of which each gains two rows
  for (std::uint64_t rules = 0; rules <= most; ++rules) {
    of_sizes += sizeof(SampledList) + rules * sizeof(SharedRule) +
                std::min(rows, (rules + 1) * places) * sizeof(DecidedRows::Cell);
  }
  std::uint64_t lists = search.parts.size();  // of each size, those of the results first
  for (const std::uint32_t island : islands) {
    for (std::size_t p = 0; p < search.parts.size(); ++p)
      lists += search.has(island, p) ? search.room : 0;
  }
  return lists * of_sizes;
}

AlgorithmParts rule_sets_parts() {
  return {.keys = rule_sets_keys,
          .traits = {.kind = &list_kind},
          .make = nullptr,
          .search = [](const Experiment& experiment, Resident& resident) {
            return std::unique_ptr<Search>(std::make_unique<RuleSetSearch>(experiment, resident));
          }};
}

RuleSetSearch::RuleSetSearch(const Experiment& experiment, Resident& resident)
    : experiment_(experiment),
      resident_(resident),
      class_attribute_(class_attribute(experiment.aim, resident.dataset().attributes())),
      folds_(in_phase(
          "folds",
          [&] {
            return resident.windows({class_attribute_, inner_folds(experiment), experiment.seed});
          })),
      sample_(make_sample(experiment, resident, class_attribute_, *folds_)),
      search_(list_search(experiment, *sample_, resident.readers())),
      deriver_(resident.dataset(), *sample_, search_.growth, search_.most_rules,
               search_.most_alternatives),
      trees_(in_phase("codes of trees",
                      [&] { return ListTrees(resident.dataset(), *folds_, search_); })) {
  search_.deriver = &deriver_;
  search_.trees = &trees_;
}

std::unique_ptr<FoldScorer> RuleSetSearch::scorer() const {
  return std::make_unique<FoldScorer>(
      resident_, ClassifiedRows{class_attribute_, search_.judge.folds, experiment_.seed});
}

std::vector<std::unique_ptr<Island>> RuleSetSearch::islands(
    std::span<const std::uint32_t> numbers) {
  expect_memory_for(most_list_bytes(search_, numbers),
                    "lists of up to " + counted(search_.most_rules, "rule"), "fewer --max-rules");
  std::vector<std::unique_ptr<Island>> made;
  for (const std::uint32_t number : numbers) {
    made.push_back(std::make_unique<RuleSetIsland>(
        number, experiment_, search_, resident_.rule_grower(sample_, search_.growth), scorer()));
  }
  return made;
}

std::unique_ptr<Results> RuleSetSearch::results() const {
  return std::make_unique<RuleSetResults>(search_);
}

void RuleSetSearch::expect_true(const RunState& run, std::span<const std::uint32_t> numbers) {
  RuleSetResults results(search_);
  merge_results(run, results);
  std::vector<const SampledList*> lists;
  for (std::size_t p = 0; p < search_.parts.size(); ++p) {
    for (const auto& list : results.front_of(p)) {
      if (list) lists.push_back(&*list);
    }
  }
  expect_counts(lists);
  for (const std::uint32_t i : numbers) {
    RuleSetIsland island(i, experiment_, search_, nullptr, nullptr);
    ByteReader bytes(run.section(island_section(i), island.version()));
    island.load(bytes, {});
    bytes.expect_end();
    expect_counts(island.lists());
  }
}

void RuleSetSearch::expect_counts(std::span<const SampledList* const> lists) const {
  const auto counter = scorer();
  std::vector<DecidedRows> counts;
  while (!lists.empty()) {
    std::vector<RuleSet> batch;
    BatchRoom room(search_.judge.classes());
    while (batch.size() < lists.size() && room.take(lists[batch.size()]->rules.size()))
      batch.push_back(lists[batch.size()]->list());
    counter->start(batch);
    counter->read(counts);
    for (std::size_t i = 0; i < batch.size(); ++i)
      require_bytes(lists[i]->decided == counts[i], "a list's counts are not those of the data");
    lists = lists.subspan(batch.size());
  }
}

}  // namespace atl
