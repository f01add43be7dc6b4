#include "src/bench/uncertain_ranks.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/bench/uncertain_data.hpp"
#include "src/bench/uncertain_steps.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

constexpr std::uint32_t lowest_rank = 4;
constexpr std::uint32_t different_pairs = 16;

/// The pairs again and again.
RankedSets repeated_pairs(std::uint32_t count) {
  RankedSets sets{2, {}};
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t pair = k % different_pairs;
    sets.ranks.push_back(2 * pair + 1);
    sets.ranks.push_back(2 * pair);
  }
  return sets;
}

/// Distributions of one rank.
class Rank {
 public:
  Rank(const RankBench& bench, std::uint32_t rank)
      : bench_(bench),
        transactions_(
            paired_transactions(bench.rows, std::vector<std::uint32_t>(different_pairs, rank))),
        items_(2 * different_pairs),
        least_{1U << (rank - 1), 0.5},
        sets_(repeated_pairs(bench.distributions)) {
    std::iota(items_.begin(), items_.end(), 0U);
  }

  double by_meter(SupportMeter& meter) const {
    const MeteredLevels metered = meter_levels(meter, {sets_}, least_, bench_.repeats);
    if (metered.levels[0].open.size() != sets_.size()) {
      throw InternalError("bench uncertain: distributions of a rank were pruned");
    }
    return metered.tail_seconds / bench_.distributions;
  }
  UncertainColumns columns() const { return {transactions_, items_, &bench_.pool}; }

  double by_thesis() const {
    const auto pipeline =
        cuda::make_thesis_pipeline(transactions_, items_, bench_.pool, *bench_.thesis);
    double best = 0;
    for (std::uint64_t k = 0; k <= bench_.repeats; ++k) {
      pipeline->extract(single_items(2 * different_pairs), least_, {.distributions = false});
      const cuda::ThesisSeconds seconds = pipeline->extract(sets_, least_, {}).seconds;
      const double both = seconds.filtering + seconds.distributions;
      if (k <= 1) best = both;  // the first warms up
      best = std::min(best, both);
    }
    return best / bench_.distributions;
  }

 private:
  const RankBench& bench_;
  TransactionSet transactions_;
  std::vector<std::uint32_t> items_;
  cuda::ThesisLeast least_;
  RankedSets sets_;
};

}  // namespace

void measure_ranks(const RankBench& bench, const std::function<void(Record)>& add) {
  for (std::uint32_t rank = lowest_rank; std::uint64_t{1} << rank <= bench.rows; ++rank) {
    const Rank of(bench, rank);
    const UncertainColumns columns = of.columns();
    Record record = {{"figure", "3.12"}, {"rank", rank}};
    record["cores_seconds"] = of.by_meter(*make_cpu_support_meter(columns, bench.pool));
    if (bench.thesis) record["thesis_seconds"] = of.by_thesis();
    if (bench.make_device_meter) {
      record["device_seconds"] = of.by_meter(*bench.make_device_meter(columns));
    }
    add(std::move(record));
  }
}

std::optional<std::uint32_t> crossing(const std::vector<Record>& records, const char* faster,
                                      const char* slower) {
  std::optional<std::uint32_t> from;
  for (const Record& record : records) {
    if (!record.contains(faster) || !record.contains(slower)) return {};
    const bool is_faster = number_of(record, faster) < number_of(record, slower);
    if (!is_faster) from.reset();
    if (is_faster && !from) from = record["rank"].get<std::uint32_t>();
  }
  return from;
}

}  // namespace atl
