#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "src/eval/evaluator.hpp"
#include "src/eval/slice_kernel.hpp"

namespace atl {

namespace {

/// A batch from submit to wait; reused afterwards.
struct Running {
  BatchId id = 0;
  ThreadPool::Ticket ticket = 0;
  Batch batch;
  PlaneProgram program;
  const TargetPlanes* target = nullptr;
  std::mutex mutex;  // of counters
  BatchCounters counters;
};

class CpuEvaluator final : public Evaluator {
 public:
  CpuEvaluator(const Dataset& dataset, ThreadPool& pool)
      : dataset_(dataset), pool_(pool), workers_(pool.threads()) {}

  ~CpuEvaluator() override {
    for (const auto& running : running_) {
      try {
        pool_.wait(running->ticket);
      } catch (...) {  // nobody is left to tell
      }
    }
  }

  BatchId submit(std::span<const Rule> rules, const EvaluateOptions& options) override {
    if (spare_.empty()) spare_.push_back(std::make_unique<Running>());
    Running& running = *spare_.back();
    running.batch.compile(rules, dataset_.attributes(), options);
    running.program.build(running.batch, dataset_.attributes(), bound_form());
    running.counters.reset(running.batch);
    running.target = options.mean ? &target(options.mean->attribute) : nullptr;
    running_.push_back(std::move(spare_.back()));
    spare_.pop_back();

    const std::uint64_t slices = slices_of(dataset_);
    const std::uint64_t tasks = std::min<std::uint64_t>(slices, tasks_per_thread * pool_.threads());
    const auto first_slice = [=](std::size_t task) { return slices * task / tasks; };
    running.id = ++last_;
    running.ticket =
        pool_.submit(tasks, [this, &running, first_slice](std::size_t task, unsigned worker) {
          count_slices(running, first_slice(task), first_slice(task + 1), workers_[worker]);
        });
    return running.id;
  }

  void wait(BatchId batch, std::span<RuleCounts> out) override {
    const auto found = std::find_if(running_.begin(), running_.end(),
                                    [&](const auto& running) { return running->id == batch; });
    if (found == running_.end()) {
      throw InternalError("a batch that was not submitted, or waited for twice");
    }
    const ThreadPool::Ticket ticket = (*found)->ticket;
    spare_.push_back(std::move(*found));
    running_.erase(found);
    pool_.wait(ticket);
    write(*spare_.back(), out);
  }

  std::string name() const override { return "cpu"; }

 private:
  /// Enough that threads end at about the same time, few enough that joining the counts is cheap.
  static constexpr std::uint64_t tasks_per_thread = 8;

  struct Worker {
    Slice slice;
    BatchCounters counters;
  };

  const TargetPlanes& target(std::uint32_t attribute) {
    const auto found = targets_.find(attribute);
    if (found != targets_.end()) return found->second;
    return targets_.try_emplace(attribute, dataset_, attribute, slice_words).first->second;
  }

  void count_slices(Running& running, std::uint64_t first, std::uint64_t end, Worker& worker) {
    worker.slice.reserve(dataset_, running.batch);
    worker.counters.reset(running.batch);
    worker.slice.target = running.target;
    for (std::uint64_t s = first; s < end; ++s) {
      worker.slice.load(dataset_, running.batch, s);
      count_slice(running.batch, running.program, worker.slice, worker.counters);
    }
    const std::scoped_lock lock(running.mutex);
    running.counters.add(worker.counters);
  }

  void write(const Running& running, std::span<RuleCounts> out) const {
    const Batch& batch = running.batch;
    const BatchCounters& counters = running.counters;
    assert(out.size() == batch.rules().size());
    const Operand* operand = batch.operands().data();
    for (std::size_t r = 0; r < out.size(); ++r) {
      const CompiledRule& rule = batch.rules()[r];
      const std::uint64_t present = counters.present[rule.present_set];
      const bool exclude = batch.options().exclude_missing_consequent;
      out[r].table = {exclude ? present : dataset_.rows(), counters.rules[r * 3],
                      counters.rules[r * 3 + 1], counters.rules[r * 3 + 2]};
      if (const auto& mean = batch.options().mean) {
        const LevelSums both{counters.rules[r * 3 + 2], counters.sums[r],
                             mean->deviations ? counters.squares[r] : 0};
        out[r].table.target =
            target_moments(running.target->scale(), *mean, running.target->all(), both);
      }
      out[r].missing_consequent = dataset_.rows() - present;
      out[r].comparison_supports.clear();
      if (batch.options().comparison_supports) {
        for (std::uint32_t c = 0; c < rule.comparisons; ++c, ++operand) {
          const std::uint64_t support =
              counters.support(running.program.position(operand->comparison));
          out[r].comparison_supports.push_back(operand->complement ? dataset_.rows() - support
                                                                   : support);
        }
      }
      out[r].coverage_hash = {0, 0};
      if (batch.options().coverage_hashes) {
        out[r].coverage_hash = {counters.hashes[r * 2], counters.hashes[r * 2 + 1]};
      }
    }
  }

  const Dataset& dataset_;
  ThreadPool& pool_;
  std::vector<Worker> workers_;
  std::map<std::uint32_t, TargetPlanes> targets_;  // [attribute] made when first asked for
  std::vector<std::unique_ptr<Running>> running_;
  std::vector<std::unique_ptr<Running>> spare_;
  BatchId last_ = 0;
};

}  // namespace

std::unique_ptr<Evaluator> make_cpu_evaluator(const Dataset& dataset, ThreadPool& pool) {
  return std::make_unique<CpuEvaluator>(dataset, pool);
}

}  // namespace atl
