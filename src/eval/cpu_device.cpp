#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "src/eval/batch.hpp"
#include "src/eval/device.hpp"
#include "src/eval/slice_kernel.hpp"

namespace atl {
namespace {

class CpuResident final : public Resident {
 public:
  CpuResident(std::shared_ptr<Device> device, const Dataset& dataset, ThreadPool& pool)
      : Resident(std::move(device), dataset), pool_(pool), workers_(pool.threads()) {}

  std::unique_ptr<RuleCounter> rule_counter() override;
  std::unique_ptr<RuleSetScorer> rule_set_scorer(const ClassifiedRows& rows) override {
    return make_cpu_rule_set_scorer(class_tiles(rows), &pool_);
  }

 private:
  /// Enough that threads end at about the same time, few enough that joining the counts is cheap.
  static constexpr std::uint64_t tasks_per_thread = 8;

  struct Worker {
    Slice slice;
    BatchCounters counters;
  };

  const TargetPlanes& target(std::uint32_t attribute) {
    const std::scoped_lock lock(mutex_);
    const auto found = targets_.find(attribute);
    if (found != targets_.end()) return found->second;
    return targets_.try_emplace(attribute, dataset().shard(), attribute, slice_words).first->second;
  }

  class Counter;

  ThreadPool& pool_;
  std::vector<Worker> workers_;
  std::mutex mutex_;                               // of targets_
  std::map<std::uint32_t, TargetPlanes> targets_;  // [attribute] made when first asked for
};

class CpuResident::Counter final : public RuleCounter {
 public:
  explicit Counter(CpuResident& resident)
      : resident_(resident), dataset_(resident.dataset().shard()) {}
  ~Counter() override {
    try {
      finish();
    } catch (...) {  // nobody is left to tell
    }
  }

  void prepare(std::span<const Rule> rules, const CountingOptions& options) override {
    batch_.compile(rules, dataset_.attributes(), options);
    program_.build(batch_, dataset_.attributes(), bound_form());
    counters_.reset(batch_);
  }

  void start() override {
    const auto& mean = batch_.options().mean;
    target_ = mean ? &resident_.target(mean->attribute) : nullptr;
    ThreadPool& pool = resident_.pool_;
    const std::uint64_t slices = slices_of(dataset_);
    const std::uint64_t tasks = std::min<std::uint64_t>(slices, tasks_per_thread * pool.threads());
    const auto first_slice = [=](std::size_t task) { return slices * task / tasks; };
    ticket_ = pool.submit(tasks, [this, first_slice](std::size_t task, unsigned worker) {
      count_slices(first_slice(task), first_slice(task + 1), resident_.workers_[worker]);
    });
  }

  void finish() override {
    if (ticket_) resident_.pool_.wait(*std::exchange(ticket_, std::nullopt));
  }

  void read(std::span<RuleCounts> out) override {
    read_counts(
        batch_, dataset_.rows(), counters_.present, counters_,
        [&](std::uint32_t comparison) { return counters_.support(program_.position(comparison)); },
        [&](std::size_t rule) { return counters_.squares[rule]; }, out);
  }

 private:
  void count_slices(std::uint64_t first, std::uint64_t end, Worker& worker) {
    worker.slice.reserve(dataset_, batch_);
    worker.counters.reset(batch_);
    worker.slice.target = target_;
    for (std::uint64_t s = first; s < end; ++s) {
      worker.slice.load(dataset_, batch_, s);
      count_slice(batch_, program_, worker.slice, worker.counters);
    }
    const std::scoped_lock lock(mutex_);
    counters_.add(worker.counters);
  }

  CpuResident& resident_;
  const Dataset& dataset_;
  Batch batch_;
  PlaneProgram program_;
  const TargetPlanes* target_ = nullptr;
  std::optional<ThreadPool::Ticket> ticket_;  // while it runs
  std::mutex mutex_;                          // of counters_
  BatchCounters counters_;
};

std::unique_ptr<RuleCounter> CpuResident::rule_counter() {
  return std::make_unique<Counter>(*this);
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(ThreadPool& pool) : pool_(pool) {}
  std::shared_ptr<Resident> load(const Dataset& dataset) override {
    return std::make_shared<CpuResident>(shared_from_this(), dataset, pool_);
  }
  std::string name() const override { return "cpu"; }

 private:
  ThreadPool& pool_;
};

}  // namespace

std::shared_ptr<Device> make_cpu_device(ThreadPool& pool) {
  return std::make_shared<CpuDevice>(pool);
}

}  // namespace atl
