#include <algorithm>
#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "src/eval/evaluator.hpp"
#include "src/eval/slice_kernel.hpp"

namespace atl {

namespace {

class CpuEvaluator final : public Evaluator {
 public:
  CpuEvaluator(const Dataset& dataset, ThreadPool& pool)
      : dataset_(dataset), pool_(pool), workers_(pool.threads()) {}
  ~CpuEvaluator() override { finish_batches(); }

  std::unique_ptr<EvaluatorBatch> make_batch() override;
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

  class Counting;

  const Dataset& dataset_;
  ThreadPool& pool_;
  std::vector<Worker> workers_;
  std::map<std::uint32_t, TargetPlanes> targets_;  // [attribute] made when first asked for
};

class CpuEvaluator::Counting final : public EvaluatorBatch {
 public:
  explicit Counting(CpuEvaluator& evaluator)
      : evaluator_(evaluator), dataset_(evaluator.dataset_) {}
  ~Counting() override {
    try {
      finish();
    } catch (...) {  // nobody is left to tell
    }
  }

  void prepare(std::span<const Rule> rules, const EvaluateOptions& options) override {
    batch_.compile(rules, dataset_.attributes(), options);
    program_.build(batch_, dataset_.attributes(), bound_form());
    counters_.reset(batch_);
  }

  void start() override {
    const auto& mean = batch_.options().mean;
    target_ = mean ? &evaluator_.target(mean->attribute) : nullptr;
    ThreadPool& pool = evaluator_.pool_;
    const std::uint64_t slices = slices_of(dataset_);
    const std::uint64_t tasks = std::min<std::uint64_t>(slices, tasks_per_thread * pool.threads());
    const auto first_slice = [=](std::size_t task) { return slices * task / tasks; };
    ticket_ = pool.submit(tasks, [this, first_slice](std::size_t task, unsigned worker) {
      count_slices(first_slice(task), first_slice(task + 1), evaluator_.workers_[worker]);
    });
  }

  void finish() override {
    if (ticket_) evaluator_.pool_.wait(*std::exchange(ticket_, std::nullopt));
  }

  void read(std::span<RuleCounts> out) override {
    assert(out.size() == batch_.rules().size());
    const Operand* operand = batch_.operands().data();
    for (std::size_t r = 0; r < out.size(); ++r) {
      const CompiledRule& rule = batch_.rules()[r];
      const std::uint64_t present = counters_.present[rule.present_set];
      const bool exclude = batch_.options().exclude_missing_consequent;
      out[r].table = {exclude ? present : dataset_.rows(), counters_.rules[r * 3],
                      counters_.rules[r * 3 + 1], counters_.rules[r * 3 + 2]};
      if (const auto& mean = batch_.options().mean) {
        const LevelSums both{counters_.rules[r * 3 + 2], counters_.sums[r],
                             mean->deviations ? counters_.squares[r] : 0};
        out[r].table.target = target_moments(target_->scale(), *mean, target_->all(), both);
      }
      out[r].missing_consequent = dataset_.rows() - present;
      out[r].comparison_supports.clear();
      if (batch_.options().comparison_supports) {
        for (std::uint32_t c = 0; c < rule.comparisons; ++c, ++operand) {
          const std::uint64_t support = counters_.support(program_.position(operand->comparison));
          out[r].comparison_supports.push_back(operand->complement ? dataset_.rows() - support
                                                                   : support);
        }
      }
      out[r].coverage_hash = {0, 0};
      if (batch_.options().coverage_hashes) {
        out[r].coverage_hash = {counters_.hashes[r * 2], counters_.hashes[r * 2 + 1]};
      }
    }
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

  CpuEvaluator& evaluator_;
  const Dataset& dataset_;
  Batch batch_;
  PlaneProgram program_;
  const TargetPlanes* target_ = nullptr;
  std::optional<ThreadPool::Ticket> ticket_;  // while it runs
  std::mutex mutex_;                          // of counters_
  BatchCounters counters_;
};

std::unique_ptr<EvaluatorBatch> CpuEvaluator::make_batch() {
  return std::make_unique<Counting>(*this);
}

}  // namespace

std::unique_ptr<Evaluator> make_cpu_evaluator(const Dataset& dataset, ThreadPool& pool) {
  return std::make_unique<CpuEvaluator>(dataset, pool);
}

}  // namespace atl
