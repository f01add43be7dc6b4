#include "islands/rule_search.hpp"

#include <iterator>
#include <utility>

#include "islands/algorithms.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/archive_section.hpp"
#include "islands/rule_bytes.hpp"
#include "islands/rule_island.hpp"
#include "src/results/archive/steering.hpp"
#include "src/results/written/rescore.hpp"

namespace atl {
namespace {

// The archive holds more than will be written, so that enough is left once redundancy is removed.
constexpr std::size_t archived_per_rule_written = 4;
// Buckets of a full consequent's rules, at least. With contrast, the short rule that explains its
// followers is often behind several of them, so there is more room for each.
constexpr std::size_t buckets = 128, buckets_by_contrast = 16;

Archive empty_archive(const Experiment& experiment) {
  const std::size_t capacity = archived_per_rule_written * std::size_t{experiment.top};
  // No rule makes room for another where the best are to be written however alike.
  const bool varied = experiment.algorithm->traits.names_buckets && experiment.max_similarity < 1;
  const Measure measure = steering_measure(experiment.archive_by, experiment);
  const std::size_t kinds = measure == Measure::contrast ? buckets_by_contrast : buckets;
  return Archive(measure, capacity, varied ? (capacity + kinds - 1) / kinds : capacity);
}

}  // namespace

RuleSearch::RuleSearch(const Experiment& experiment, const IslandGrammars& grammars,
                       Resident& resident)
    : experiment_(experiment),
      grammars_(grammars),
      by_island_(experiment.by_island()),
      resident_(resident),
      maximized_(all_steering_measures(experiment)),
      empty_archive_(empty_archive(experiment)) {}

std::vector<std::unique_ptr<Island>> RuleSearch::islands(std::span<const std::uint32_t> numbers) {
  std::vector<IslandAim> aims;
  for (const std::uint32_t number : numbers) {
    aims.push_back({&std::prev(by_island_.upper_bound(number))->second, &grammars_.of(number)});
  }
  auto algorithms = make_algorithms(experiment_, aims, resident_);
  options_ = algorithms.front()->options();
  std::vector<std::unique_ptr<Island>> made;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    algorithms_.emplace(numbers[i], algorithms[i].get());
    made.push_back(std::make_unique<RuleIsland>(numbers[i], experiment_, grammars_,
                                                std::move(algorithms[i]), resident_));
  }
  return made;
}

std::unique_ptr<Results> RuleSearch::results() const {
  return std::make_unique<RuleResults>(empty_archive_, maximized_, grammars_.attributes());
}

void RuleSearch::expect_true(const RunState& run, std::span<const std::uint32_t> numbers) {
  std::vector<Individual> individuals;
  for (const std::uint32_t i : numbers) {
    SavedIsland island = island_of(run, i, grammars_.of(i));
    std::vector<Individual> kept = expect_of(experiment_, *algorithms_.at(i), island);
    for (auto* const group : {&island.state.population, &kept})
      std::move(group->begin(), group->end(), std::back_inserter(individuals));
  }
  RuleResults results(empty_archive_, maximized_, grammars_.attributes());
  merge_results(run, results);
  std::vector<ClaimedCounts> claims;
  for (const Individual& individual : individuals) {
    const RuleStatistics& statistics = individual.statistics;
    claims.push_back({&individual.rule, statistics.table, statistics.missing_consequent,
                      options_.comparison_supports ? &statistics.comparison_supports : nullptr});
  }
  const std::vector<RuleRecord> archived = results.archive().rules();
  for (const RuleRecord& record : archived) claims.push_back(claimed(record));
  expect_counts(claims, options_, resident_);
}

}  // namespace atl
