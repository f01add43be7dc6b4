#include "cuda/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <map>
#include <mutex>
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

class CudaEvaluator final : public Evaluator {
 public:
  explicit CudaEvaluator(const Dataset& dataset) : dataset_(dataset), rows_(dataset) {}
  ~CudaEvaluator() override { finish_batches(); }

  std::unique_ptr<EvaluatorBatch> make_batch() override;
  std::string name() const override { return "cuda"; }

  void time_batches(bool on) { timed_ = on; }
  std::optional<double> last_device_seconds() const { return device_seconds_; }

 private:
  class Counting;

  /// Rows on which all attributes of a set have a value.
  std::uint64_t present(std::span<const std::uint32_t> set) {
    if (set.empty()) return dataset_.rows();
    const std::scoped_lock lock(mutex_);
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

  const Dataset& dataset_;
  ResidentRows rows_;
  std::mutex mutex_;  // of present_
  std::map<std::vector<std::uint32_t>, std::uint64_t> present_;
  bool timed_ = false;
  std::optional<double> device_seconds_;
};

/// What is asked of the device is asked by start and finish alone: other threads may have another
/// device for theirs.
class CudaEvaluator::Counting final : public EvaluatorBatch {
 public:
  explicit Counting(CudaEvaluator& evaluator)
      : evaluator_(evaluator), dataset_(evaluator.dataset_) {}
  ~Counting() override { cudaStreamSynchronize(stream_); }

  void prepare(std::span<const Rule> rules, const EvaluateOptions& options) override {
    if (options.mean) throw BackendUnavailable("cuda", "means are not counted on it yet");
    batch_.compile(rules, dataset_.attributes(), options, group_terms);
    program_.build(batch_, dataset_.attributes(), evaluator_.rows_.first_planes());
  }

  void start() override {
    if (evaluator_.timed_ != timed_.has_value()) {
      timed_.reset();
      if (evaluator_.timed_) timed_.emplace();
    }
    const auto words = program_.words();
    const EvaluateOptions& options = batch_.options();
    rules_ = batch_.rules().size() * 3;
    hashes_ = options.coverage_hashes ? batch_.rules().size() * 4 : 0;
    supports_ = options.comparison_supports ? batch_.comparisons().size() : 0;
    if (rules_ == 0) return;
    upload_.reserve(words.size());
    std::copy(words.begin(), words.end(), upload_.data());
    words_.reserve(words.size());
    counters_.reserve(total());
    results_.reserve(total());
    const std::size_t bytes = total() * sizeof(std::uint32_t);
    check(cudaMemcpyAsync(words_.data(), upload_.data(), words.size_bytes(), cudaMemcpyHostToDevice,
                          stream_));
    check(cudaMemsetAsync(counters_.data(), 0, bytes, stream_));
    std::uint32_t* const counters = counters_.data();
    DeviceCounters to;
    if (hashes_ != 0) to.hashes = reinterpret_cast<unsigned long long*>(counters);
    to.rules = counters + hashes_;
    if (supports_ != 0) to.supports = to.rules + rules_;
    if (timed_) timed_->first.record(stream_);
    launch_count(evaluator_.rows_.rows(), words_.data(), program_.groups(), program_.terms(), to,
                 stream_);
    if (timed_) timed_->second.record(stream_);
    check(cudaMemcpyAsync(results_.data(), counters, bytes, cudaMemcpyDeviceToHost, stream_));
  }

  void finish() override {
    check(cudaStreamSynchronize(stream_));
    evaluator_.device_seconds_.reset();
    if (timed_ && rules_ != 0) {
      evaluator_.device_seconds_ = timed_->second.seconds_since(timed_->first);
    }
  }

  void read(std::span<RuleCounts> out) override {
    assert(out.size() == batch_.rules().size());
    const std::uint32_t* const rules = results_.data() + hashes_;
    const std::uint32_t* const supports = rules + rules_;
    const Operand* operand = batch_.operands().data();
    const std::uint64_t rows = dataset_.rows();
    for (std::size_t r = 0; r < out.size(); ++r) {
      const CompiledRule& rule = batch_.rules()[r];
      const std::uint64_t known = evaluator_.present(batch_.present_set(rule.present_set));
      const bool exclude = batch_.options().exclude_missing_consequent;
      out[r].table = {exclude ? known : rows, rules[r * 3], rules[r * 3 + 1], rules[r * 3 + 2]};
      out[r].missing_consequent = rows - known;
      out[r].comparison_supports.clear();
      for (std::uint32_t c = 0; supports_ != 0 && c < rule.comparisons; ++c, ++operand) {
        const std::uint64_t support = supports[program_.position(operand->comparison)];
        out[r].comparison_supports.push_back(operand->complement ? rows - support : support);
      }
      out[r].coverage_hash = {0, 0};
      if (hashes_ != 0) {
        std::memcpy(out[r].coverage_hash.data(), results_.data() + r * 4,
                    sizeof out[r].coverage_hash);
      }
    }
  }

 private:
  std::size_t total() const noexcept { return hashes_ + rules_ + supports_; }

  CudaEvaluator& evaluator_;
  const Dataset& dataset_;
  Stream stream_;
  std::optional<std::pair<Event, Event>> timed_;  // before and after the kernels, if they are timed
  Batch batch_;
  DeviceProgram program_;
  PinnedBuffer<std::uint32_t> upload_;
  DeviceBuffer<std::uint32_t> words_;
  DeviceBuffer<std::uint32_t> counters_;  // hashes, rules, supports
  PinnedBuffer<std::uint32_t> results_;
  std::size_t hashes_ = 0, rules_ = 0, supports_ = 0;  // words of counters_
};

std::unique_ptr<EvaluatorBatch> CudaEvaluator::make_batch() {
  return std::make_unique<Counting>(*this);
}

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
