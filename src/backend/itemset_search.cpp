#include "src/backend/itemset_search.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/itemsets/itemset_counter.hpp"
#include "src/backend/choice.hpp"
#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/itemsets/itemset_counter.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/levels/apriori.hpp"
#include "src/exhaustive/levels/level_task.hpp"

namespace atl {
namespace {

/// The counter of a choice, and what is to be said of it.
struct ChosenCounter {
  std::unique_ptr<CandidateCounter> counter;
  std::string name;
};

ChosenCounter choose_counter(const ItemBitmaps& bitmaps, std::uint64_t rows, const Machine& machine,
                             ThreadPool& pool) {
  LocalCommunicator alone;
  BackendChoice choice = choose_backend(machine, {rows}, alone);
  if (choice.name == "reference") return {make_reference_candidate_counter(bitmaps), "reference"};
  auto on_device = choice.on_gpu([&](const cuda::DeviceOptions& options) {
    return std::unique_ptr<CandidateCounter>(cuda::make_apriori_counter(bitmaps, options));
  });
  if (on_device) return {std::move(on_device), choice.device->name};
  std::string name = "the CPU, " + counted(pool.threads(), "thread");
  if (choice.automatic) name += ": " + choice.reason;
  return {make_cpu_candidate_counter(bitmaps, pool), name};
}

/// A search that a GPU has begun.
struct DeviceSearch {
  std::string device;
  std::unique_ptr<ItemsetCounter> counter;
};

/// @param unwanted  asked between the steps, each of which may take a tenth of a second or more
/// @return none if it is unwanted
std::optional<DeviceSearch> start_on_device(const Machine& machine,
                                            const TransactionSet& transactions,
                                            const ItemsetLimits& limits,
                                            const std::function<bool()>& unwanted) {
  LocalCommunicator alone;
  const BackendChoice choice =
      choose_backend(machine, {.rows = transactions.size(), .is_large = true}, alone);
  if (!choice.device || unwanted()) return std::nullopt;
  DeviceSearch search{choice.device->name,
                      cuda::make_itemset_counter(transactions, choice.options)};
  search.counter->prepare(limits);
  if (unwanted()) return std::nullopt;
  search.counter->start();
  return search;
}

std::vector<std::uint64_t> take(DeviceSearch search, const Report& report) {
  search.counter->finish();
  ItemsetCounts counts = search.counter->read();
  report(Severity::info, work_in_words(search.device, counts));
  return std::move(counts.sets);
}

}  // namespace

std::unique_ptr<CandidateCounter> candidate_counter(const ItemBitmaps& bitmaps,
                                                    const Machine& machine, ThreadPool& pool,
                                                    const Report& report) {
  ChosenCounter chosen = choose_counter(bitmaps, bitmaps.transactions, machine, pool);
  report(Severity::info, "apriori on " + chosen.name);
  return std::move(chosen.counter);
}

ItemsetLevels search_levels(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const Machine& machine, const MemoryLimit& memory, ThreadPool& pool,
                            const Report& report) {
  expect_room_for_columns(transactions, limits.min_count, memory);
  const ItemBitmaps bitmaps(transactions, limits.min_count);
  const auto counter = candidate_counter(bitmaps, machine, pool, report);
  return find_levels(bitmaps, limits, *counter, pool, memory.left());
}

struct DeviceRace::State {
  const Machine& machine;
  const TransactionSet& transactions;
  const ItemsetLimits& limits;
  const Report& report;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  bool started = false;
  std::optional<DeviceSearch> search = {};

  std::optional<std::vector<std::uint64_t>> poll(const std::function<bool()>& unwanted) {
    if (!started) {
      if (seconds_since(begun) < seconds_of_cores_alone) return std::nullopt;
      started = true;
      search = start_on_device(machine, transactions, limits, unwanted);
    }
    if (!search || !search->counter->ready()) return std::nullopt;
    auto done = std::exchange(search, std::nullopt);
    return take(std::move(*done), report);
  }
};

DeviceRace::DeviceRace(const Machine& machine, const TransactionSet& transactions,
                       const ItemsetLimits& limits, const Report& report)
    : state_(new State{machine, transactions, limits, report}) {}

DeviceRace::~DeviceRace() = default;

std::optional<std::vector<std::uint64_t>> DeviceRace::poll(const std::function<bool()>& unwanted) {
  try {
    return state_->poll(unwanted);
  } catch (const BackendUnavailable&) {  // the cores go on
  } catch (const std::system_error&) {   // so they do where the system allows no further thread
  } catch (const DeviceFailed& error) {
    state_->report(Severity::warning, std::string(error.what()) + "; the cores go on");
  }
  return std::nullopt;
}

}  // namespace atl
