#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cuda/count/count_kernel.hpp"
#include "cuda/count/count_queue.hpp"
#include "cuda/count/piece.hpp"
#include "cuda/device/device_layout.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/device/resident.hpp"
#include "src/eval/batch.hpp"

namespace atl::cuda {
namespace {

/// Share of a rule's time that the planes of a group take.
constexpr double planes_cost = 0.7;
/// Shares of a full processor's time that it needs for one warp, and for each of all its warps.
constexpr double first_warp_cost = 0.35;
constexpr double warp_cost = (1 - first_warp_cost) / most_warps;

/// Time of that many groups on one processor, in that of as many as it has warps.
double rounds(double groups) noexcept {
  const double full = std::floor(groups / most_warps);
  const double rest = groups - full * most_warps;
  return full + (rest == 0 ? 0 : first_warp_cost + warp_cost * std::ceil(rest));
}

/// The number of terms that a group of rules is to have (Batch::compile); a rule has two. At most
/// as many as leave shared memory for all warps, and fewer where that keeps more warps busy.
/// @param rows  that are evaluated at a time
/// @param wide  some attribute has more planes than a pass
std::uint32_t group_terms(const DeviceLimits& limits, std::uint64_t rows, std::size_t rules,
                          bool wide) noexcept {
  const auto tiles =
      static_cast<double>((std::max<std::uint64_t>(rows, 1) + tile_rows - 1) / tile_rows);
  std::uint32_t most = std::max(limits.shared_bytes / most_warps / tile_bytes / 2, 1U);
  // Every comparison of an attribute in several passes needs a slot for a while.
  if (wide) most = std::max(most * 3 / 4, 1U);
  std::uint32_t best = 1;
  double best_cost = 0;
  for (std::uint32_t group_rules = 1; group_rules <= most; ++group_rules) {
    const double groups = std::ceil(static_cast<double>(rules) / group_rules);
    const double cost = rounds(groups * tiles / limits.processors) * (group_rules + planes_cost);
    if (group_rules == 1 || cost < best_cost) {
      best = group_rules;
      best_cost = cost;
    }
  }
  return best * 2;
}

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
