#include "src/bench/apriori.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device/device_rates.hpp"
#include "cuda/host/apriori_tables.hpp"
#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/published/level_pipeline.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"
#include "src/generate/quest.hpp"

namespace atl {

namespace {

constexpr double seconds_of_step = 0.2;
constexpr std::uint32_t percent = 4;  // of the transactions, at least, that an item is in
/// So many rows that the choice of a backend does not look at them.
constexpr std::uint64_t rows_for_any_gpu = std::uint64_t{1} << 30;

/// The first of T40I10D100K.
TransactionSet quest_transactions(std::uint64_t count) {
  QuestOptions options;
  options.length = 40;
  options.pattern_length = 10;
  const QuestSource source(options);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < options.items; ++i) names.push_back(std::to_string(i));
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  for (std::uint64_t first = 0; first < count; first += slice_rows) {
    source.make({first, std::min<std::uint64_t>(first + slice_rows, count)},
                [&](std::span<const std::uint32_t> transaction) {
                  items.insert(items.end(), transaction.begin(), transaction.end());
                  starts.push_back(items.size());
                });
  }
  return {std::move(names), std::move(starts), std::move(items)};
}

/// @throws InternalError
void expect_same(const std::vector<std::uint32_t>& found,
                 const std::vector<std::uint32_t>& expected, const std::string& what) {
  if (found == expected) return;
  throw InternalError(what +
                      " counts the pairs of the benchmark otherwise than one thread of ours");
}

/// Median of what `run` returns, seconds of a kernel.
template <typename Run>
double median_kernel(const Run& run) {
  std::vector<double> seconds;
  time_repeatedly([&] { seconds.push_back(run()); }, seconds_of_step);
  return median(std::move(seconds));
}

/// The first transactions, on the machine's backend.
class AprioriBench {
 public:
  AprioriBench(const BenchBackend& backend, unsigned threads, const AprioriFigures& paper)
      : backend_(backend),
        transactions_(quest_transactions(paper.transactions)),
        min_count_((std::uint64_t{paper.transactions} * percent + 99) / 100),
        bitmaps_(transactions_, min_count_),
        tables_(cuda::tables_of_items(transactions_, bitmaps_.names)),
        pool_(threads),
        expected_(pairs_before(bitmaps_.items())) {
    record_.paper = &paper;
    record_.items = bitmaps_.items();
    record_.candidates = expected_.size();
    record_.backend = backend.device ? "cuda" : "cpu";
    record_.threads = backend.device ? 1 : threads;
    record_.device = backend.device;
  }

  AprioriRecord measure(double popcounts) {
    time_ours();
    time_loops();
    if (backend_.device) {
      time_published();
      record_.popcounts_per_second = popcounts;
    }
    return record_;
  }

 private:
  Timing time_pairs(CandidateCounter& counter, std::vector<std::uint32_t>& supports) const {
    return time_repeatedly([&] { counter.count_pairs(1, bitmaps_.items(), supports); },
                           seconds_of_step);
  }

  void time_ours() {
    ThreadPool alone(1);
    const auto one_core = make_cpu_candidate_counter(bitmaps_, alone);
    record_.one_core = time_pairs(*one_core, expected_);
    std::vector<std::uint32_t> supports(expected_.size());
    if (backend_.device) {
      const auto on_gpu = cuda::make_apriori_counter(bitmaps_, backend_.options);
      record_.ours = time_pairs(*on_gpu, supports);
      record_.kernel = median_kernel([&] {
        on_gpu->count_pairs(1, bitmaps_.items(), supports);
        return on_gpu->kernel_seconds();
      });
      const auto words = static_cast<double>((transactions_.size() + 31) / 32);
      record_.words_per_second = static_cast<double>(record_.candidates) * words / *record_.kernel;
    } else if (pool_.threads() > 1) {
      const auto on_cores = make_cpu_candidate_counter(bitmaps_, pool_);
      record_.ours = time_pairs(*on_cores, supports);
    } else {
      return;
    }
    expect_same(supports, expected_, record_.backend);
  }

  void time_loops() {
    cuda::AprioriTables pairs;
    record_.generation.one_core =
        time_repeatedly([&] { cuda::join_all(tables_, pairs); }, seconds_of_step);
    record_.counting.one_core =
        time_repeatedly([&] { cuda::count_supports(pairs); }, seconds_of_step);
    std::vector<std::uint32_t> supports;
    for (std::size_t s = 0; s < pairs.sets; ++s) {
      supports.push_back(pairs.items[s * pairs.item_columns() + pairs.item_words]);
    }
    expect_same(supports, expected_, "the published loop");
  }

  void time_published() {
    const auto pipeline = cuda::make_level_pipeline(tables_, backend_.options);
    const auto join = [&](cuda::LevelJoin how) {
      return median_kernel([&] { return pipeline->join(how); });
    };
    record_.generation.plain = join(cuda::LevelJoin::square);
    record_.generation.improved = join(cuda::LevelJoin::triangular);
    std::vector<std::uint32_t> supports;
    const auto count = [&](cuda::LevelReduction how) {
      const double seconds = median_kernel([&] { return pipeline->count(how, supports); });
      expect_same(supports, expected_, "the published kernel");
      return seconds;
    };
    record_.counting.plain = count(cuda::LevelReduction::plain);
    record_.counting.improved = count(cuda::LevelReduction::flagged);
  }

  const BenchBackend& backend_;
  TransactionSet transactions_;
  std::uint64_t min_count_;
  ItemBitmaps bitmaps_;
  cuda::AprioriTables tables_;
  ThreadPool pool_;
  std::vector<std::uint32_t> expected_;  // supports of the pairs
  AprioriRecord record_;
};

}  // namespace

void bench_apriori(const BenchMachine& machine,
                   const std::function<void(const AprioriRecord&)>& sink) {
  if (machine.options.backend == "reference") {
    throw UsageError(
        "bench apriori: the reference counter looks at each transaction for each pair; "
        "take cpu or cuda");
  }
  const BenchBackend backend = machine.choose_backend(machine, rows_for_any_gpu);
  const unsigned threads =
      machine.options.threads != 0 ? machine.options.threads : available_cpus();
  const double popcounts = backend.device ? cuda::measure_device_rates().popcounts : 0;
  for (const AprioriFigures& paper : apriori_figures) {
    sink(AprioriBench(backend, threads, paper).measure(popcounts));
  }
}

}  // namespace atl
