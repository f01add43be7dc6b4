#include "cuda/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/device_program.hpp"
#include "cuda/device_rows.hpp"
#include "cuda/handles.hpp"
#include "src/core/error.hpp"
#include "src/eval/batch.hpp"

namespace atl::cuda {

namespace {

// Terms of a group: few, so that many warps have theirs in shared memory.
constexpr std::uint32_t group_terms = 14;

/// A batch from submit to wait; reused afterwards.
struct Running {
  BatchId id = 0;
  Stream stream;
  std::optional<std::pair<Event, Event>> timed;  // before and after the kernels, if they are timed
  Batch batch;
  DeviceProgram program;
  PinnedBuffer<std::uint32_t> upload;
  DeviceBuffer<std::uint32_t> words;
  DeviceBuffer<std::uint32_t> counters;  // hashes, rules, supports
  PinnedBuffer<std::uint32_t> results;
  std::size_t hashes = 0, rules = 0, supports = 0;  // words of counters

  std::size_t total() const noexcept { return hashes + rules + supports; }
};

class CudaEvaluator final : public Evaluator {
 public:
  explicit CudaEvaluator(const Dataset& dataset) : dataset_(dataset), rows_(dataset) {}

  ~CudaEvaluator() override {
    for (const auto& running : running_) cudaStreamSynchronize(running->stream);
  }

  BatchId submit(std::span<const Rule> rules, const EvaluateOptions& options) override {
    if (options.mean) throw BackendUnavailable("cuda", "means are not counted on it yet");
    if (spare_.empty()) spare_.push_back(std::make_unique<Running>());
    Running& running = *spare_.back();
    running.batch.compile(rules, dataset_.attributes(), options, group_terms);
    running.program.build(running.batch, dataset_.attributes(), rows_.first_planes());
    if (timed_ != running.timed.has_value()) {
      running.timed.reset();
      if (timed_) running.timed.emplace();
    }
    start(running);
    running.id = ++last_;
    running_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    return last_;
  }

  void wait(BatchId batch, std::span<RuleCounts> out) override {
    const auto found = std::find_if(running_.begin(), running_.end(),
                                    [&](const auto& running) { return running->id == batch; });
    if (found == running_.end()) {
      throw InternalError("a batch that was not submitted, or waited for twice");
    }
    spare_.push_back(std::move(*found));
    running_.erase(found);
    check(cudaStreamSynchronize(spare_.back()->stream));
    const Running& running = *spare_.back();
    write(running, out);
    device_seconds_.reset();
    if (running.timed && running.rules != 0) {
      device_seconds_ = running.timed->second.seconds_since(running.timed->first);
    }
  }

  std::string name() const override { return "cuda"; }

  void time_batches(bool on) { timed_ = on; }
  std::optional<double> last_device_seconds() const { return device_seconds_; }

 private:
  void start(Running& running) {
    const auto words = running.program.words();
    const EvaluateOptions& options = running.batch.options();
    running.rules = running.batch.rules().size() * 3;
    running.hashes = options.coverage_hashes ? running.batch.rules().size() * 4 : 0;
    running.supports = options.comparison_supports ? running.batch.comparisons().size() : 0;
    if (running.rules == 0) return;
    running.upload.reserve(words.size());
    std::copy(words.begin(), words.end(), running.upload.data());
    running.words.reserve(words.size());
    running.counters.reserve(running.total());
    running.results.reserve(running.total());
    const std::size_t bytes = running.total() * sizeof(std::uint32_t);
    check(cudaMemcpyAsync(running.words.data(), running.upload.data(), words.size_bytes(),
                          cudaMemcpyHostToDevice, running.stream));
    check(cudaMemsetAsync(running.counters.data(), 0, bytes, running.stream));
    std::uint32_t* const counters = running.counters.data();
    DeviceCounters to;
    if (running.hashes != 0) to.hashes = reinterpret_cast<unsigned long long*>(counters);
    to.rules = counters + running.hashes;
    if (running.supports != 0) to.supports = to.rules + running.rules;
    if (running.timed) running.timed->first.record(running.stream);
    launch_count(rows_.rows(), running.words.data(), running.program.groups(),
                 running.program.terms(), to, running.stream);
    if (running.timed) running.timed->second.record(running.stream);
    check(cudaMemcpyAsync(running.results.data(), counters, bytes, cudaMemcpyDeviceToHost,
                          running.stream));
  }

  /// Rows on which all attributes of a set have a value.
  std::uint64_t present(std::span<const std::uint32_t> set) {
    if (set.empty()) return dataset_.rows();
    const auto [entry, added] = present_.try_emplace({set.begin(), set.end()}, 0);
    if (!added) return entry->second;
    for (std::size_t p = 0; p < dataset_.partitions(); ++p) {
      for (std::size_t w = 0; w < dataset_.words(p); ++w) {
        std::uint64_t word = ~std::uint64_t{0};
        for (const std::uint32_t a : set) word &= dataset_.present(p, a)[w];
        entry->second += static_cast<std::uint64_t>(std::popcount(word));
      }
    }
    return entry->second;
  }

  void write(const Running& running, std::span<RuleCounts> out) {
    const Batch& batch = running.batch;
    assert(out.size() == batch.rules().size());
    const std::uint32_t* const rules = running.results.data() + running.hashes;
    const std::uint32_t* const supports = rules + running.rules;
    const Operand* operand = batch.operands().data();
    const std::uint64_t rows = dataset_.rows();
    for (std::size_t r = 0; r < out.size(); ++r) {
      const CompiledRule& rule = batch.rules()[r];
      const std::uint64_t known = present(batch.present_set(rule.present_set));
      const bool exclude = batch.options().exclude_missing_consequent;
      out[r].table = {exclude ? known : rows, rules[r * 3], rules[r * 3 + 1], rules[r * 3 + 2]};
      out[r].missing_consequent = rows - known;
      out[r].comparison_supports.clear();
      for (std::uint32_t c = 0; running.supports != 0 && c < rule.comparisons; ++c, ++operand) {
        const std::uint64_t support = supports[running.program.position(operand->comparison)];
        out[r].comparison_supports.push_back(operand->complement ? rows - support : support);
      }
      out[r].coverage_hash = {0, 0};
      if (running.hashes != 0) {
        std::memcpy(out[r].coverage_hash.data(), running.results.data() + r * 4,
                    sizeof out[r].coverage_hash);
      }
    }
  }

  const Dataset& dataset_;
  ResidentRows rows_;
  std::map<std::vector<std::uint32_t>, std::uint64_t> present_;
  std::vector<std::unique_ptr<Running>> running_;
  std::vector<std::unique_ptr<Running>> spare_;
  BatchId last_ = 0;
  bool timed_ = false;
  std::optional<double> device_seconds_;
};

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset, const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<CudaEvaluator>(dataset);
}

void time_batches(Evaluator& evaluator, bool on) {
  if (auto* const ours = dynamic_cast<CudaEvaluator*>(&evaluator)) ours->time_batches(on);
}

std::optional<double> last_device_seconds(const Evaluator& evaluator) {
  const auto* const ours = dynamic_cast<const CudaEvaluator*>(&evaluator);
  return ours == nullptr ? std::nullopt : ours->last_device_seconds();
}

}  // namespace atl::cuda
