#include "src/eval/device.hpp"

#include <exception>

#include "src/core/time_line.hpp"
#include "src/data/class_folds.hpp"
#include "src/eval/class_tiles.hpp"
#include "src/eval/plane_program.hpp"
#include "src/sampling/interval_sample.hpp"

namespace atl {

void Resident::count_part(std::span<const Rule> rules, const CountingOptions& options,
                          std::span<RuleCounts> counts) {
  if (!counter_) counter_ = rule_counter();
  counter_->prepare(rules, options);
  counter_->start();
  counter_->finish();
  counter_->read(counts);
}

void Resident::count_in_team(std::span<const Rule> rules, const CountingOptions& options) {
  if (before_count_) before_count_(rules, options);
  const RuleRange share = team_->share(rules.size());
  std::vector<std::uint64_t> numbers;
  std::exception_ptr failure;
  try {
    count_part(rules.subspan(share.begin, share.size()), options,
               std::span(counts_).subspan(share.begin, share.size()));
  } catch (...) {
    failure = std::current_exception();
  }
  // Counts of former rules, which are not as many, are left where counting failed.
  counts_to_numbers(rules, failure ? RuleRange{} : share, counts_, options, numbers);
  try {
    team_->add_up(numbers, failure != nullptr);
  } catch (...) {
    if (failure) std::rethrow_exception(failure);
    throw;
  }
  numbers_to_counts(rules, numbers, options, counts_);
}

std::vector<RuleStatistics> Resident::count(std::span<const Rule> rules,
                                            const CountingOptions& options) {
  counts_.resize(rules.size());
  if (team_ == nullptr) {
    count_part(rules, options, counts_);
  } else {
    count_in_team(rules, options);
  }
  const TargetTotals* const target = target_totals(options);
  std::vector<RuleStatistics> statistics;
  statistics.reserve(rules.size());
  for (const RuleCounts& counts : counts_)
    statistics.push_back(statistics_of(counts, options, target));
  return statistics;
}

std::unique_ptr<IntervalFitter> Resident::interval_fitter(const IntervalRows& rows) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<const IntervalSample>& sample = interval_samples_[rows];
  if (!sample) sample = std::make_shared<const IntervalSample>(dataset_, rows, readers_);
  return make_cpu_interval_fitter(sample);
}

std::unique_ptr<RuleGrower> Resident::rule_grower(std::shared_ptr<const ClassSample> sample,
                                                  const GrowthSettings& settings) {
  if (readers_ == nullptr)
    return make_cpu_rule_grower(make_growth_threads(std::move(sample), settings));
  const std::scoped_lock lock(mutex_);
  std::weak_ptr<GrowthThreads>& known = growth_threads_[sample.get()];
  std::shared_ptr<GrowthThreads> threads = known.lock();
  if (!threads) known = threads = make_growth_threads(std::move(sample), settings, readers_);
  return make_cpu_rule_grower(std::move(threads));
}

std::unique_ptr<RuleSetScorer> Resident::rule_set_scorer(const ClassifiedRows& rows) {
  return make_cpu_rule_set_scorer(class_tiles(rows), nullptr);
}

std::shared_ptr<const std::vector<std::uint8_t>> Resident::windows(const ClassifiedRows& rows) {
  const std::scoped_lock lock(mutex_);
  auto& windows = windows_[rows];
  if (!windows) {
    windows = std::make_shared<const std::vector<std::uint8_t>>(
        class_folds(dataset_, rows.class_attribute, rows.windows, rows.seed, readers_));
  }
  return windows;
}

std::shared_ptr<const ClassTiles> Resident::class_tiles(const ClassifiedRows& rows) {
  const auto windows = this->windows(rows);
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<const ClassTiles>& tiles = class_tiles_[rows];
  if (!tiles) {
    const TimedPhase phase("tiles by class");
    tiles = std::make_shared<const ClassTiles>(dataset_, rows, tile_words, *windows, readers_);
  }
  return tiles;
}

std::unique_ptr<SimilarityTable> Resident::similarity() {
  return make_cpu_similarity_table(coverage_sample());
}

std::shared_ptr<const CoverageSample> Resident::coverage_sample() {
  const std::scoped_lock lock(mutex_);
  if (!coverage_sample_) coverage_sample_ = std::make_shared<const CoverageSample>(dataset_);
  return coverage_sample_;
}

const TargetTotals* Resident::target_totals(const CountingOptions& options) {
  if (!options.mean) return nullptr;
  const std::scoped_lock lock(mutex_);
  const std::uint32_t attribute = options.mean->attribute;
  return &totals_.try_emplace(attribute, dataset_, attribute).first->second;
}

}  // namespace atl
