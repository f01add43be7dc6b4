#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/count/count_queue.hpp"
#include "cuda/count/group_size.hpp"
#include "cuda/count/piece.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/resident.hpp"
#include "src/eval/read_counts.hpp"

namespace atl::cuda {

namespace {

class CudaRuleCounter final : public RuleCounter {
 public:
  explicit CudaRuleCounter(CudaResident& resident)
      : resident_(resident), gpu_(resident.gpu()), dataset_(resident.dataset().shard()) {}
  ~CudaRuleCounter() override {
    try {
      finish();
    } catch (...) {  // nobody asks any more
    }
  }

  void prepare(std::span<const Rule> rules, const CountingOptions& options) override {
    expect_known_attributes(rules, dataset_.attributes().size());
    target_ = options.mean ? &resident_.target(options.mean->attribute) : nullptr;
    timed_ = options.time_kernels;
    used_ = (rules.size() + piece_rules() - 1) / piece_rules();
    while (pieces_.size() < used_) pieces_.push_back(std::make_unique<Piece>());
    const std::uint32_t terms = group_terms_for(rules.size());
    for (std::size_t p = 0; p < used_; ++p) {
      const std::size_t first = p * piece_rules();
      pieces_[p]->compile(rules.subspan(first, std::min(piece_rules(), rules.size() - first)),
                          dataset_.attributes(), options, resident_.data().places(), terms);
    }
  }

  void start() override {
    if (used_ == 0) return;
    check(cudaSetDevice(gpu_.options().device));  // of this thread
    for (const auto& piece : pieces()) {
      piece->time(timed_);
      piece->fill(gpu_.options().in_stages);
    }
    order_.pieces = pieces();
    order_.target = target_;
    resident_.queue().send(order_);
  }

  bool ready() const override {
    check(cudaSetDevice(gpu_.options().device));
    return resident_.queue().ready(order_);
  }

  void finish() override {
    check(cudaSetDevice(gpu_.options().device));
    resident_.queue().wait(order_);
    seconds_.reset();
    if (!timed_ || used_ == 0) return;
    seconds_.emplace();
    for (const auto& piece : pieces()) {
      const KernelSeconds seconds = piece->seconds(gpu_.options().in_stages);
      seconds_->coverage += seconds.coverage;
      seconds_->reduction += seconds.reduction;
      seconds_->total += seconds.total;
    }
  }

  std::optional<KernelSeconds> kernel_seconds() const override { return seconds_; }

  void read(std::span<RuleCounts> out) override {
    for (const auto& piece : pieces()) {
      const std::size_t rules = piece->batch().rules().size();
      assert(out.size() >= rules);
      read(*piece, out.first(rules));
      out = out.subspan(rules);
    }
  }

 private:
  std::uint32_t group_terms_for(std::size_t rules) const {
    const DeviceData& data = resident_.data();
    const bool wide = std::any_of(data.places().begin(), data.places().end(),
                                  [](const PlanePlace& of) { return of.planes > pass_planes; });
    return group_terms(gpu_.limits(), data.part_rows(), rules, wide);
  }
  // A piece has few rules in stages, as their words are all held at a time.
  std::size_t piece_rules() const noexcept { return gpu_.options().in_stages ? 64 : 1U << 15; }
  std::span<const std::unique_ptr<Piece>> pieces() const { return {pieces_.data(), used_}; }

  void read(const Piece& piece, std::span<RuleCounts> out) {
    const Batch& batch = piece.batch();
    const DeviceCounters& counts = piece.counts();
    known_.clear();
    for (std::size_t set = 0; set < batch.present_sets(); ++set) {
      known_.push_back(resident_.present(batch.present_set(set)));
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
        out);
  }

  CudaResident& resident_;
  CudaDevice& gpu_;
  const Dataset& dataset_;
  std::vector<std::unique_ptr<Piece>> pieces_;
  std::size_t used_ = 0;  // of the pieces
  const TargetPlanes* target_ = nullptr;
  bool timed_ = false;
  std::optional<KernelSeconds> seconds_;
  CountQueue::Order order_;
  std::vector<std::uint64_t> known_;  // [present sets of a piece]
};

}  // namespace

std::unique_ptr<RuleCounter> CudaResident::rule_counter() {
  return std::make_unique<CudaRuleCounter>(*this);
}

}  // namespace atl::cuda
