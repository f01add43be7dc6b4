#include <algorithm>
#include <cassert>
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
  std::mutex mutex;  // of counters
  BatchCounters counters;
};

class CpuEvaluator final : public Evaluator {
 public:
  CpuEvaluator(const Dataset& dataset, ThreadPool& pool)
      : dataset_(dataset), pool_(pool), workers_(pool.threads()) {
    for (std::size_t p = 0; p < dataset.partitions(); ++p) {
      for (std::uint32_t a = 0; a < dataset.attributes().size(); ++a) {
        planes_.push_back({dataset.plane(p, a, 0).data(), dataset.attributes()[a].planes()});
      }
    }
    std::fill_n(all_rows_.data(), slice_words, ~std::uint64_t{0});
    const std::uint64_t in_last_slice = dataset.rows() % (slice_words * 64);
    for (std::uint64_t row = 0; row < in_last_slice; ++row) {
      last_rows_.data()[row / 64] |= std::uint64_t{1} << (row % 64);
    }
  }

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
    running.counters.reset(running.batch);
    running_.push_back(std::move(spare_.back()));
    spare_.pop_back();

    const std::uint64_t slices = (words_for(dataset_.rows()) + slice_words - 1) / slice_words;
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
    SliceScratch scratch;
    BatchCounters counters;
  };

  void count_slices(Running& running, std::uint64_t first, std::uint64_t end, Worker& worker) {
    worker.scratch.reserve(running.batch);
    worker.counters.reset(running.batch);
    const std::uint64_t slices_per_partition = words_for(dataset_.partition_rows(0)) / slice_words;
    const std::size_t attributes = dataset_.attributes().size();
    for (std::uint64_t s = first; s < end; ++s) {
      // Only the last partition may have fewer, and then it is the only one or the others are full.
      const auto partition =
          static_cast<std::size_t>(dataset_.partitions() == 1 ? 0 : s / slices_per_partition);
      SliceInput slice;
      slice.attributes = std::span(planes_).subspan(partition * attributes, attributes);
      slice.stride = dataset_.plane_stride(partition);
      slice.word = static_cast<std::size_t>((s - partition * slices_per_partition) * slice_words);
      slice.words = std::min(slice_words, dataset_.words(partition) - slice.word);
      slice.first_row = dataset_.first_row() + s * slice_words * 64;
      const bool whole = (s + 1) * slice_words * 64 <= dataset_.rows();
      slice.rows = whole ? all_rows_.data() : last_rows_.data();
      count_slice(running.batch, slice, worker.scratch, worker.counters);
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
      out[r].missing_consequent = dataset_.rows() - present;
      out[r].comparison_supports.clear();
      if (batch.options().comparison_supports) {
        for (std::uint32_t c = 0; c < rule.comparisons; ++c, ++operand) {
          const std::uint64_t support = counters.supports[operand->comparison];
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
  std::vector<AttributePlanes> planes_;  // [partitions][attributes]
  AlignedWords all_rows_{slice_words};
  AlignedWords last_rows_{slice_words};
  std::vector<Worker> workers_;
  std::vector<std::unique_ptr<Running>> running_;
  std::vector<std::unique_ptr<Running>> spare_;
  BatchId last_ = 0;
};

}  // namespace

std::unique_ptr<Evaluator> make_cpu_evaluator(const Dataset& dataset, ThreadPool& pool) {
  return std::make_unique<CpuEvaluator>(dataset, pool);
}

}  // namespace atl
