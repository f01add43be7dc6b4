// The devices that rules are counted on: the cores of a CPU or a GPU, and the tables that lie
// there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/core/busy_seconds.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/counting_team.hpp"
#include "src/eval/rule_counter.hpp"
#include "src/eval/rule_set_scorer.hpp"
#include "src/rules/rule.hpp"
#include "src/sampling/interval_fitter.hpp"
#include "src/sampling/rule_grower.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {

class Resident;

/// The cores of a CPU or a GPU, with one budget of memory for all tables that lie there. Factories
/// make a Device, always as a shared pointer, because each of its residents keeps it: those below,
/// and cuda::make_device (cuda/device/device.hpp).
class Device : public std::enable_shared_from_this<Device> {
 public:
  virtual ~Device() = default;

  /// Makes a table resident. A job has up to three: the rows searched, the exact rows and those
  /// held out. If the budget cannot hold all tables, those used least recently leave the device and
  /// come back when they are used. A table too large for the device is copied through it in parts
  /// for each batch.
  /// @param dataset  must outlive the resident
  /// @throws BackendUnavailable if there is no room even for two small parts
  virtual std::shared_ptr<Resident> load(const Dataset& dataset) = 0;
  /// "reference", "cpu" or "cuda".
  virtual std::string name() const = 0;
  /// Seconds for which the device has had batches to work on so far. A device without a clock of
  /// its own returns nothing.
  virtual std::optional<BusySeconds> busy_seconds() { return std::nullopt; }
};

/// A table on a device, shared by all that computes on its rows. The services that it makes are
/// each for one thread at a time. The resident must outlive them.
class Resident {
 public:
  using BeforeCount =
      std::function<void(std::span<const Rule> rules, const CountingOptions& options)>;

  Resident(std::shared_ptr<Device> device, const Dataset& dataset)
      : device_(std::move(device)), dataset_(dataset) {}
  virtual ~Resident() = default;
  Resident(const Resident&) = delete;
  Resident& operator=(const Resident&) = delete;

  Device& device() const noexcept { return *device_; }
  const Dataset& dataset() const noexcept { return dataset_; }

  virtual std::unique_ptr<RuleCounter> rule_counter() = 0;
  /// Makes a scorer of decision lists. Where the device has none of its own, it makes the CPU's.
  /// @pre the class attribute exists, and rows.windows is at least 1
  virtual std::unique_ptr<RuleSetScorer> rule_set_scorer(const ClassifiedRows& rows);
  /// Makes a fitter. Where the device has none of its own, it makes the CPU's, and all fitters of
  /// the same rows share one sample.
  virtual std::unique_ptr<IntervalFitter> interval_fitter(const IntervalRows& rows);
  /// Makes a grower of rules of decision lists. Where the device has none of its own, it makes the
  /// CPU's, with which the readers (read_with()) help.
  /// @param sample  of this table
  /// @param settings  the same for all growers of a sample that there are at a time
  virtual std::unique_ptr<RuleGrower> rule_grower(std::shared_ptr<const ClassSample> sample,
                                                  const GrowthSettings& settings);
  /// Makes an empty table, one in which no rule has a slot yet. Where the device has no table of
  /// its own, it makes the CPU's.
  virtual std::unique_ptr<SimilarityTable> similarity();

  /// The windows of rows, by class_folds(). They are dealt at the first call and then shared. Any
  /// thread may call this.
  std::shared_ptr<const std::vector<std::uint8_t>> windows(const ClassifiedRows& rows);
  /// The rows as the CPU's scorers take them. They are put in order at the first call and then
  /// shared by all scorers of the same rows. Any thread may call this.
  std::shared_ptr<const ClassTiles> class_tiles(const ClassifiedRows& rows);
  /// The sample by which similarity() tells rules apart. It is drawn at the first call and then
  /// shared. Any thread may call this.
  std::shared_ptr<const CoverageSample> coverage_sample();

  /// Samples are read by these threads from now on. @param pool  outlives it
  void read_with(ThreadPool& pool) noexcept { readers_ = &pool; }
  /// Null: the thread that asks for a sample reads it.
  ThreadPool* readers() const noexcept { return readers_; }

  /// Makes this rank count a part only from now on: rule_counter()'s counts are those of that part.
  /// @param team  must outlive it
  /// @param before_count  called by count() with what it counts; may be empty
  void join(const CountingTeam& team, BeforeCount before_count = {}) {
    team_ = &team;
    before_count_ = std::move(before_count);
  }
  /// The team that counts; null: what is counted here is the whole.
  const CountingTeam* team() const noexcept { return team_; }

  /// Counts rules and blocks until the counts are there. One thread at a time may call this; all
  /// members of a team have to, with the same rules.
  /// @return [rules]
  /// @throws UnknownAttribute; on all members of a team an Error of status unavailable if one fails
  std::vector<RuleStatistics> count(std::span<const Rule> rules, const CountingOptions& options);
  /// The totals of the mean target that statistics_of() needs beside a rule's counts. Null if the
  /// options name no mean. They are computed at the first call. Any thread may call this.
  const TargetTotals* target_totals(const CountingOptions& options);

 private:
  void count_part(std::span<const Rule> rules, const CountingOptions& options,
                  std::span<RuleCounts> counts);
  void count_in_team(std::span<const Rule> rules, const CountingOptions& options);

  std::shared_ptr<Device> device_;
  const Dataset& dataset_;
  ThreadPool* readers_ = nullptr;  // null: the thread that asks
  const CountingTeam* team_ = nullptr;
  BeforeCount before_count_;
  std::unique_ptr<RuleCounter> counter_;  // count() uses this
  std::vector<RuleCounts> counts_;        // count() uses this, too
  std::mutex mutex_;                      // guards the members below
  std::shared_ptr<const CoverageSample> coverage_sample_;
  std::map<std::uint32_t, TargetTotals> totals_;  // [attribute]
  std::map<IntervalRows, std::shared_ptr<const IntervalSample>> interval_samples_;
  // Of a sample, while it has growers.
  std::map<const ClassSample*, std::weak_ptr<GrowthThreads>> growth_threads_;
  std::map<ClassifiedRows, std::shared_ptr<const std::vector<std::uint8_t>>> windows_;
  std::map<ClassifiedRows, std::shared_ptr<const ClassTiles>> class_tiles_;
};

/// The executable specification: loops over rows and codes. Counts inside start, which blocks.
std::shared_ptr<Device> make_reference_device();

/// The pool's threads count by bit slices, among whatever else is submitted to the pool. A counter
/// may be used by the thread that waits for the pool and by the pool's tasks. The device takes no
/// memory for tables, because it reads the dataset's. The pool must outlive it.
std::shared_ptr<Device> make_cpu_device(ThreadPool& pool);

}  // namespace atl
