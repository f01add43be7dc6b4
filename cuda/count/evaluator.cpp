#include "cuda/count/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "cuda/count/group_size.hpp"
#include "cuda/count/piece.hpp"
#include "cuda/device/busy_time.hpp"
#include "cuda/device/device_data.hpp"
#include "cuda/device/handles.hpp"
#include "src/eval/read_counts.hpp"

namespace atl::cuda {

namespace {

class CudaEvaluator final : public Evaluator {
 public:
  CudaEvaluator(const Dataset& dataset, const DeviceOptions& options)
      : dataset_(dataset),
        device_(options.device),
        in_stages_(options.in_stages),
        limits_(device_limits()),
        data_(dataset, options.memory) {}
  ~CudaEvaluator() override { finish_batches(); }

  std::unique_ptr<EvaluatorBatch> make_batch() override;
  std::string name() const override { return "cuda"; }
  std::optional<double> device_seconds() override { return busy_.seconds(); }

  void time_batches(bool on) { timed_ = on; }
  std::optional<DeviceSeconds> last_device_seconds() const { return last_seconds_; }

 private:
  class Counting;

  std::uint32_t group_terms_for(std::size_t rules) const {
    const bool wide = std::any_of(data_.places().begin(), data_.places().end(),
                                  [](const PlanePlace& of) { return of.planes > pass_planes; });
    return group_terms(limits_, data_.part_rows(), rules, wide);
  }

  const TargetPlanes& target(std::uint32_t attribute) {
    const std::scoped_lock lock(mutex_);
    const auto found = targets_.find(attribute);
    if (found != targets_.end()) return found->second;
    return targets_.try_emplace(attribute, dataset_, attribute, target_slice_words).first->second;
  }

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
  int device_;
  bool in_stages_;
  DeviceLimits limits_;
  DeviceData data_;
  std::mutex mutex_;                               // of both maps
  std::map<std::uint32_t, TargetPlanes> targets_;  // [attribute] made when first asked for
  std::map<std::vector<std::uint32_t>, std::uint64_t> present_;
  bool timed_ = false;
  std::optional<DeviceSeconds> last_seconds_;
  BusyTime busy_;
};

class CudaEvaluator::Counting final : public EvaluatorBatch {
 public:
  explicit Counting(CudaEvaluator& evaluator)
      : evaluator_(evaluator), dataset_(evaluator.dataset_) {}
  ~Counting() override { cudaStreamSynchronize(stream_); }

  void prepare(std::span<const Rule> rules, const EvaluateOptions& options) override {
    expect_known_attributes(rules, dataset_.attributes().size());
    target_ = options.mean ? &evaluator_.target(options.mean->attribute) : nullptr;
    used_ = (rules.size() + piece_rules() - 1) / piece_rules();
    while (pieces_.size() < used_) pieces_.push_back(std::make_unique<Piece>());
    const std::uint32_t terms = evaluator_.group_terms_for(rules.size());
    for (std::size_t p = 0; p < used_; ++p) {
      const std::size_t first = p * piece_rules();
      pieces_[p]->compile(rules.subspan(first, std::min(piece_rules(), rules.size() - first)),
                          dataset_.attributes(), options, evaluator_.data_.places(), terms);
    }
  }

  void start() override {
    check(cudaSetDevice(evaluator_.device_));  // of this thread
    timed_ = evaluator_.timed_;
    try {
      send();
    } catch (...) {  // what is on its way must not find its memory used anew
      cudaStreamSynchronize(stream_);
      throw;
    }
  }

  void finish() override {
    check(cudaSetDevice(evaluator_.device_));
    check(cudaStreamSynchronize(stream_));
    if (used_ != 0) evaluator_.busy_.add(span_);
    if (!timed_) return;
    evaluator_.last_seconds_.reset();
    if (used_ == 0) return;
    DeviceSeconds& sum = evaluator_.last_seconds_.emplace();
    for (const auto& piece : pieces()) {
      const DeviceSeconds seconds = piece->seconds(evaluator_.in_stages_);
      sum.coverage += seconds.coverage;
      sum.reduction += seconds.reduction;
      sum.total += seconds.total;
    }
  }

  void read(std::span<RuleCounts> out) override {
    for (const auto& piece : pieces()) {
      const std::size_t rules = piece->batch().rules().size();
      assert(out.size() >= rules);
      read(*piece, out.first(rules));
      out = out.subspan(rules);
    }
  }

 private:
  // In stages the words of a piece's rules are held at a time: of few then.
  std::size_t piece_rules() const noexcept { return evaluator_.in_stages_ ? 64 : 1U << 15; }
  std::span<const std::unique_ptr<Piece>> pieces() const { return {pieces_.data(), used_}; }

  void send() {
    if (used_ == 0) return;
    evaluator_.busy_.begin(span_, stream_);
    for (const auto& piece : pieces()) {
      piece->time(timed_);
      piece->upload(evaluator_.in_stages_, stream_);
    }
    evaluator_.data_.for_each_part(stream_, target_, [&](const DeviceRows& part) {
      for (const auto& piece : pieces()) {
        if (evaluator_.in_stages_) {
          piece->count_in_stages(part, evaluator_.limits_, scratch_, words_, stream_);
        } else {
          piece->count(part, evaluator_.limits_, scratch_, stream_);
        }
      }
    });
    for (const auto& piece : pieces()) piece->download(stream_);
    evaluator_.busy_.end(span_, stream_);
  }

  void read(const Piece& piece, std::span<RuleCounts> out) {
    const Batch& batch = piece.batch();
    const DeviceCounters& counts = piece.counts();
    known_.clear();
    for (std::size_t set = 0; set < batch.present_sets(); ++set) {
      known_.push_back(evaluator_.present(batch.present_set(set)));
    }
    read_counts(
        batch, dataset_.rows(), known_, counts,
        [&](std::uint32_t comparison) {
          return counts.supports[piece.program().position(comparison)];
        },
        [&](std::size_t rule) {
          return counts.squares[rule * 2] +
                 (LevelSums::Wide{counts.squares[rule * 2 + 1]} << target_->scale().planes);
        },
        target_, out);
  }

  CudaEvaluator& evaluator_;
  const Dataset& dataset_;
  Stream stream_;
  std::vector<std::unique_ptr<Piece>> pieces_;
  std::size_t used_ = 0;  // of the pieces
  const TargetPlanes* target_ = nullptr;
  bool timed_ = false;
  BusyTime::Span span_;
  DeviceBuffer<uint4> scratch_;       // of one piece at a time
  DeviceBuffer<uint4> words_;         // likewise, in stages
  std::vector<std::uint64_t> known_;  // [present sets of a piece]
};

std::unique_ptr<EvaluatorBatch> CudaEvaluator::make_batch() {
  return std::make_unique<Counting>(*this);
}

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset, const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<CudaEvaluator>(dataset, options);
}

void time_batches(Evaluator& evaluator, bool on) {
  if (auto* const ours = dynamic_cast<CudaEvaluator*>(&evaluator)) ours->time_batches(on);
}

std::optional<DeviceSeconds> last_device_seconds(const Evaluator& evaluator) {
  const auto* const ours = dynamic_cast<const CudaEvaluator*>(&evaluator);
  return ours == nullptr ? std::nullopt : ours->last_device_seconds();
}

}  // namespace atl::cuda
