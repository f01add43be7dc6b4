#include "src/backend/device_race.hpp"

#include <chrono>
#include <system_error>
#include <utility>

#include "cuda/itemsets/itemset_counter.hpp"
#include "src/backend/choice.hpp"
#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"
#include "src/exhaustive/itemsets/itemset_counter.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"

namespace atl {

namespace {

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
