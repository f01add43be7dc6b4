#include "src/app/itemset_counts.hpp"

#include <chrono>
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

DeviceSearch start_on_device(const ItemsetMachine& machine, const TransactionSet& transactions,
                             const ItemsetLimits& limits) {
  const cuda::VisibleDevice device = cuda::visible_devices().front();
  cuda::open_device(device);
  DeviceSearch search{device.name, cuda::make_itemset_counter(
                                       transactions, {device.number, machine.device_memory})};
  search.counter->prepare(limits);
  search.counter->start();
  return search;
}

std::vector<std::uint64_t> take(DeviceSearch& search, const Report& report) {
  search.counter->finish();
  ItemsetCounts counts = search.counter->read();
  report(Severity::info,
         fmt::format("{}: searched in {:.3f} s, {} prefixes, {:.3g} words of 32 transactions ANDed "
                     "and counted, {:.3g} sets in tables",
                     search.device, counts.seconds, counts.nodes, static_cast<double>(counts.words),
                     static_cast<double>(counts.entries)));
  return std::move(counts.sets);
}

bool is_done(const std::future<std::vector<std::uint64_t>>& counts,
             std::chrono::duration<double> within) {
  return counts.wait_for(within) == std::future_status::ready;
}

std::vector<std::uint64_t> race(const ItemsetMachine& machine, const TransactionSet& transactions,
                                const ItemsetLimits& limits, ThreadPool& pool,
                                const Report& report) {
  std::stop_source stop;
  std::future<std::vector<std::uint64_t>> cores;
  try {
    cores = std::async(std::launch::async, [&] {
      return count_itemsets(transactions, limits, pool, stop.get_token());
    });
  } catch (const std::system_error&) {  // no memory for one more thread
    return count_itemsets(transactions, limits, pool);
  }
  // Before it waits for the cores, whatever happened.
  const std::unique_ptr<std::stop_source, void (*)(std::stop_source*)> at_end(
      &stop, [](std::stop_source* source) { source->request_stop(); });
  using Seconds = std::chrono::duration<double>;
  if (is_done(cores, Seconds(seconds_of_cores_alone))) return cores.get();
  try {
    DeviceSearch search = start_on_device(machine, transactions, limits);
    while (!search.counter->ready() && !is_done(cores, Seconds(1e-3))) {
    }
    if (is_done(cores, Seconds(0))) return cores.get();
    return take(search, report);
  } catch (const BackendUnavailable&) {  // the cores go on
  } catch (const DeviceFailed& error) {
    report(Severity::warning, std::string(error.what()) + "; the cores go on");
  }
  return cores.get();
}

}  // namespace

std::vector<std::uint64_t> count_itemsets_on(const ItemsetMachine& machine,
                                             const TransactionSet& transactions,
                                             const ItemsetLimits& limits, ThreadPool& pool,
                                             const Report& report) {
  if (machine.backend == "cpu" || limits.family != ItemsetFamily::all)
    return count_itemsets(transactions, limits, pool);
  if (machine.backend == "auto") return race(machine, transactions, limits, pool, report);
  DeviceSearch search = start_on_device(machine, transactions, limits);
  return take(search, report);
}

}  // namespace atl
