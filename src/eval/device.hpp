// What rules are counted on: the cores of a CPU or a GPU, and the tables that lie there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/rule_counter.hpp"
#include "src/rules/rule.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

class Resident;

/// The cores of a CPU or a GPU, with one budget of memory for all tables that lie there. Made by
/// the factories below, always as a shared pointer: its residents keep it.
class Device : public std::enable_shared_from_this<Device> {
 public:
  virtual ~Device() = default;

  /// Makes a table resident. A job has up to three: the rows searched, the exact rows and those
  /// held out. Where the budget does not hold them all, the ones used least recently are taken from
  /// the device and brought back when they are used again; one that does not fit alone passes
  /// through.
  /// @param dataset  must outlive the resident
  /// @throws BackendUnavailable if the device has no room
  virtual std::shared_ptr<Resident> load(const Dataset& dataset) = 0;
  /// "reference", "cpu" or "cuda".
  virtual std::string name() const = 0;
  /// Seconds in which it has had batches so far; none of a device without a clock of its own.
  virtual std::optional<double> busy_seconds() { return std::nullopt; }
};

/// A table on a device, shared by all that computes on its rows. It makes services, each for one
/// thread at a time, which it must outlive.
class Resident {
 public:
  Resident(std::shared_ptr<Device> device, const Dataset& dataset)
      : device_(std::move(device)), dataset_(dataset) {}
  virtual ~Resident() = default;
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  Device& device() const noexcept { return *device_; }
  const Dataset& dataset() const noexcept { return dataset_; }

  virtual std::unique_ptr<RuleCounter> rule_counter() = 0;
  /// Of the CPU where the device has none of its own; then fitters of the same rows share a sample.
  virtual std::unique_ptr<IntervalFitter> interval_fitter(const IntervalRows& rows);

  /// Counts rules and waits for it; for one thread at a time.
  /// @return [rules]
  /// @throws UnknownAttribute
  std::vector<RuleStatistics> count(std::span<const Rule> rules, const CountingOptions& options);
  /// What statistics_of() needs beside a rule's counts: of the options' mean, null if there is
  /// none. Computed when first asked for; any thread.
  const TargetTotals* target_totals(const CountingOptions& options);

 private:
  std::shared_ptr<Device> device_;
  const Dataset& dataset_;
  std::unique_ptr<RuleCounter> counter_;          // of count()
  std::vector<RuleCounts> counts_;                // likewise
  std::mutex mutex_;                              // of what follows
  std::map<std::uint32_t, TargetTotals> totals_;  // [attribute]
  std::map<IntervalRows, std::shared_ptr<const IntervalFit>> interval_samples_;
};

/// The executable specification: loops over rows and codes. Counts inside start, which blocks.
std::shared_ptr<Device> make_reference_device();

/// Bit-sliced evaluation by the pool's threads, among whatever else is submitted to it. Counters
/// are for the thread that waits for the pool, and for its tasks. Takes no memory for tables: it
/// reads the dataset's. The pool must outlive it.
std::shared_ptr<Device> make_cpu_device(ThreadPool& pool);

}  // namespace atl
