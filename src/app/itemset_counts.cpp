#include "src/app/itemset_counts.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <system_error>

#include <fmt/format.h>

#include "cuda/device/visible_devices.hpp"
#include "cuda/itemsets/itemset_counter.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/itemsets.hpp"

namespace atl {

namespace {

/// A search that a GPU has begun.
struct DeviceSearch {
  std::string device;
  std::unique_ptr<ItemsetCounter> counter;
};

/// @param unwanted  asked between the steps, each of which may take a tenth of a second or more
/// @return none if it is unwanted
std::optional<DeviceSearch> start_on_device(const ItemsetMachine& machine,
                                            const TransactionSet& transactions,
                                            const ItemsetLimits& limits,
                                            const std::function<bool()>& unwanted) {
  const cuda::VisibleDevice device = cuda::visible_devices().front();
  if (unwanted()) return std::nullopt;
  cuda::open_device(device);
  if (unwanted()) return std::nullopt;
  DeviceSearch search{device.name, cuda::make_itemset_counter(
                                       transactions, {device.number, machine.device_memory})};
  search.counter->prepare(limits);
  if (unwanted()) return std::nullopt;
  search.counter->start();
  return search;
}

std::vector<std::uint64_t> take(DeviceSearch search, const Report& report) {
  search.counter->finish();
  ItemsetCounts counts = search.counter->read();
  report(Severity::info,
         fmt::format("{}: searched in {:.3f} s, {} prefixes, {:.3g} words of 32 transactions ANDed "
                     "and counted, {:.3g} sets in tables",
                     search.device, counts.seconds, counts.nodes, static_cast<double>(counts.words),
                     static_cast<double>(counts.entries)));
  return std::move(counts.sets);
}

/// The cores' search, on a thread of its own, which ends with it.
class CoresSearch {
 public:
  using Seconds = std::chrono::duration<double>;

  /// @throws std::system_error if the system allows no further thread
  CoresSearch(const TransactionSet& transactions, const ItemsetLimits& limits, ThreadPool& pool)
      : counts_(std::async(std::launch::async, [&, stop = stop_.get_token()] {
          return count_itemsets(transactions, limits, pool, stop);
        })) {}
  ~CoresSearch() { stop_.request_stop(); }  // then the future waits
  CoresSearch(const CoresSearch&) = delete;
  CoresSearch& operator=(const CoresSearch&) = delete;

  bool is_done(Seconds within = Seconds(0)) const {
    return counts_.wait_for(within) == std::future_status::ready;
  }
  std::vector<std::uint64_t> wait() { return counts_.get(); }

 private:
  std::stop_source stop_;
  std::future<std::vector<std::uint64_t>> counts_;
};

/// The counts of a GPU, if it has them before the cores are done.
std::optional<std::vector<std::uint64_t>> overtake(const CoresSearch& cores,
                                                   const ItemsetMachine& machine,
                                                   const TransactionSet& transactions,
                                                   const ItemsetLimits& limits,
                                                   const Report& report) {
  try {
    auto search = start_on_device(machine, transactions, limits, [&] { return cores.is_done(); });
    while (search && !search->counter->ready()) {
      if (cores.is_done(CoresSearch::Seconds(1e-3))) search.reset();
    }
    if (search) return take(std::move(*search), report);
  } catch (const BackendUnavailable&) {  // the cores go on
  } catch (const std::system_error&) {   // so they do where the system allows no further thread
  } catch (const DeviceFailed& error) {
    report(Severity::warning, std::string(error.what()) + "; the cores go on");
  }
  return std::nullopt;
}

std::vector<std::uint64_t> race(const ItemsetMachine& machine, const TransactionSet& transactions,
                                const ItemsetLimits& limits, ThreadPool& pool,
                                const Report& report) {
  std::optional<CoresSearch> cores;
  try {
    cores.emplace(transactions, limits, pool);
  } catch (const std::system_error&) {
    return count_itemsets(transactions, limits, pool);
  }
  if (!cores->is_done(CoresSearch::Seconds(seconds_of_cores_alone))) {
    if (auto counts = overtake(*cores, machine, transactions, limits, report)) return *counts;
  }
  return cores->wait();
}

}  // namespace

std::vector<std::uint64_t> count_itemsets_on(const ItemsetMachine& machine,
                                             const TransactionSet& transactions,
                                             const ItemsetLimits& limits, ThreadPool& pool,
                                             const Report& report) {
  if (machine.backend == "cpu" || limits.family != ItemsetFamily::all)
    return count_itemsets(transactions, limits, pool);
  if (machine.backend == "auto") return race(machine, transactions, limits, pool, report);
  return take(*start_on_device(machine, transactions, limits, [] { return false; }), report);
}

}  // namespace atl
