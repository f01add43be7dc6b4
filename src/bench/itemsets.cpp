#include "src/exhaustive/itemsets/itemsets.hpp"

#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/itemsets/itemset_counter.hpp"
#include "io/transactions/itemset_writer.hpp"
#include "src/bench/benchmarks.hpp"
#include "src/bench/table.hpp"
#include "src/bench/workload.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

constexpr double seconds_of_search = 0.5;

struct NamedFamily {
  const char* name;
  ItemsetFamily family;
};
constexpr NamedFamily families[] = {{"all", ItemsetFamily::all},
                                    {"closed", ItemsetFamily::closed},
                                    {"maximal", ItemsetFamily::maximal}};

std::uint64_t number_of_sets(const std::vector<std::uint64_t>& by_length) {
  return std::accumulate(by_length.begin(), by_length.end(), std::uint64_t{0});
}

/// A search for one family of sets, again and again.
struct Search {
  const TransactionSet& transactions;
  ItemsetLimits limits;
  std::uint64_t sets = 0;

  /// Counts them on the cores.
  Timing time_counting(ThreadPool& pool) {
    return time_repeatedly(
        [&] { sets = number_of_sets(count_itemsets(transactions, limits, pool)); },
        seconds_of_search);
  }
  /// Counts them on a GPU, from transactions in its memory to numbers on the host.
  /// @param seconds  gets those of the search alone, the median
  Timing time_counting(const cuda::DeviceOptions& options, double& seconds) {
    const auto counter = cuda::make_itemset_counter(transactions, options);
    std::vector<double> searches;
    const Timing timing = time_repeatedly(
        [&] {
          counter->prepare(limits);
          counter->start();
          counter->finish();
          const ItemsetCounts counts = counter->read();
          sets = number_of_sets(counts.sets);
          searches.push_back(counts.seconds);
        },
        seconds_of_search);
    seconds = median(std::move(searches));
    return timing;
  }
  /// Lists them as text, which goes nowhere, on one thread.
  /// @throws InternalError if they are not as many as were counted
  Timing time_listing() const {
    return time_repeatedly(
        [&] {
          io::ItemsetWriter text(transactions.names(), [](std::string_view) {});
          list_itemsets(transactions, limits, text);
          if (text.finish() == sets) return;
          throw InternalError("bench itemsets lists another number of sets than it counts");
        },
        seconds_of_search);
  }
};

Record record_of(const NamedFamily& family, const TransactionSet& transactions,
                 const ItemsetLimits& limits, const BenchBackend& backend, ThreadPool& pool) {
  // Devices count all sets only.
  const bool on_gpu = backend.device && family.family == ItemsetFamily::all;
  Search search{transactions, limits};
  search.limits.family = family.family;
  double device_seconds = 0;
  const Timing counting =
      on_gpu ? search.time_counting(backend.options, device_seconds) : search.time_counting(pool);
  const Timing listing = search.time_listing();
  Record record = {{"bench", "itemsets"},
                   {"machine", machine_description(on_gpu ? backend.device : std::nullopt)},
                   {"backend", on_gpu ? "cuda" : "cpu"},
                   {"threads", on_gpu ? 1 : pool.threads()},
                   {"rows", transactions.size()},
                   {"items", transactions.names().size()},
                   {"min_count", limits.min_count},
                   {"family", family.name},
                   {"sets", search.sets},
                   {"seconds", counting.median},
                   {"best_seconds", counting.best},
                   {"runs", counting.runs},
                   {"sets_per_s", static_cast<double>(search.sets) / counting.median},
                   {"list_seconds", listing.median},
                   {"listed_sets_per_s", static_cast<double>(search.sets) / listing.median}};
  if (on_gpu) record["device_seconds"] = device_seconds;
  return record;
}

void run_itemsets(const BenchState& state) {
  if (state.machine.options.backend == "reference") {
    throw UsageError("bench itemsets: there is no reference search; take cpu or cuda");
  }
  const std::uint64_t rows = state.number("--rows");
  QuestOptions options;
  options.length = 20;
  options.pattern_length = 6;
  options.items = state.small_number("--items");
  ItemsetLimits limits;
  limits.min_count = state.number("--min-count");
  const BenchBackend backend = state.machine.choose_backend(state.machine, rows);
  ThreadPool pool(threads_of(state.machine));
  const TransactionSet transactions = quest_transactions(options, rows);
  for (const NamedFamily& family : families) {
    state.add(record_of(family, transactions, limits, backend, pool));
  }
}

}  // namespace

Benchmark itemsets_benchmark() {
  return {
      .name = "itemsets",
      .measures = "counting and listing frequent itemsets of generated transactions",
      .refuses = "generates transactions",
      .axes = {{"--rows", "N", "rows", "20000", WholeNumber{1, 100'000'000}},
               {"--items", "N", "different items", "500", WholeNumber{2, 1'000'000}},
               {"--min-count", "N", "transactions that a set is in, at least", "100",
                WholeNumber{1, std::uint64_t{1} << 32}}},
      .tables =
          [](const BenchMachine&) {
            return std::vector<Table>{{"",
                                       {{"family", "sets", as_it_is, "{:<8}"},
                                        {"backend", "", as_it_is, "{:<5}"},
                                        {"rows", "rows", as_it_is, "{:>10}"},
                                        {"items", "items", as_it_is, "{:>8}"},
                                        {"min_count", "at least", as_it_is, "{:>10}"},
                                        {"sets", "found", as_it_is, "{:>12}"},
                                        bar,
                                        {"seconds", "count, ms", in_ms, "{:>11.4g}"},
                                        {"device_seconds", "device", in_ms, "{:>11.4g}"},
                                        {"sets_per_s", "10^6/s", in_millions, "{:>9.4g}"},
                                        bar,
                                        {"list_seconds", "list, ms", in_ms, "{:>11.4g}"},
                                        {"listed_sets_per_s", "10^6/s", in_millions, "{:>9.4g}"}}}};
          },
      .run = run_itemsets};
}

}  // namespace atl
