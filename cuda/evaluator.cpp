#include "cuda/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>
#include <optional>
#include <vector>

#include "cuda/device_data.hpp"
#include "cuda/group_size.hpp"
#include "cuda/handles.hpp"
#include "cuda/piece.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

namespace {

/// Rules of a piece: while one is counted the next is made ready.
constexpr std::size_t most_rules = 4096;
/// In stages, words of few rules are held at a time.
constexpr std::size_t most_rules_in_stages = 64;

/// A batch from submit to wait; reused afterwards.
struct Running {
  BatchId id = 0;
  Stream stream;
  std::size_t rules = 0;
  std::size_t used = 0;  // of the pieces
  std::vector<std::unique_ptr<Piece>> pieces;
  const TargetPlanes* target = nullptr;
  DeviceBuffer<uint4> words;  // of one piece at a time, in stages
};

class CudaEvaluator final : public Evaluator {
 public:
  CudaEvaluator(const Dataset& dataset, const DeviceOptions& options, ThreadPool& pool)
      : dataset_(dataset),
        pool_(pool),
        in_stages_(options.in_stages),
        limits_(device_limits()),
        data_(dataset, options.memory) {}

  ~CudaEvaluator() override {
    for (const auto& running : running_) cudaStreamSynchronize(running->stream);
  }

  BatchId submit(std::span<const Rule> rules, const EvaluateOptions& options) override {
    expect_known_attributes(rules, dataset_.attributes().size());
    if (spare_.empty()) spare_.push_back(std::make_unique<Running>());
    Running& running = *spare_.back();
    running.target = options.mean ? &target(options.mean->attribute) : nullptr;
    running.rules = rules.size();
    running.used = (rules.size() + piece_rules() - 1) / piece_rules();
    while (running.pieces.size() < running.used) {
      running.pieces.push_back(std::make_unique<Piece>());
    }
    const auto pieces = std::span(running.pieces).first(running.used);
    const std::uint32_t terms = group_terms(limits_, data_.part_rows(), rules.size(), has_wide());
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      const std::size_t first = p * piece_rules();
      pieces[p]->compile(rules.subspan(first, std::min(piece_rules(), rules.size() - first)),
                         dataset_.attributes(), options, data_.places(), terms, pool_);
      pieces[p]->time(timed_);
      pieces[p]->upload(running.stream);
      if (data_.resident()) count(running, pieces.subspan(p, 1));
    }
    if (!data_.resident()) count(running, pieces);  // the rows pass once
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
    const Running& running = *spare_.back();
    assert(out.size() == running.rules);
    check(cudaStreamSynchronize(running.stream));
    device_seconds_.reset();
    for (std::size_t p = 0; p < running.used; ++p) {
      const Piece& piece = *running.pieces[p];
      write(piece, running.target, out.subspan(p * piece_rules()));
      if (timed_) add(piece.seconds(in_stages_));
    }
  }

  std::string name() const override { return "cuda"; }

  void time_batches(bool on) { timed_ = on; }
  std::optional<DeviceSeconds> last_device_seconds() const { return device_seconds_; }

 private:
  void count(Running& running, std::span<const std::unique_ptr<Piece>> pieces) {
    data_.for_each_part(running.stream, running.target, [&](const DeviceRows& part) {
      for (const auto& piece : pieces) {
        if (in_stages_) {
          piece->count_in_stages(part, limits_, running.words, running.stream);
        } else {
          piece->count(part, limits_, running.stream);
        }
      }
    });
    for (const auto& piece : pieces) piece->download(running.stream);
  }

  void add(const DeviceSeconds& seconds) {
    if (!device_seconds_) device_seconds_.emplace();
    device_seconds_->coverage += seconds.coverage;
    device_seconds_->reduction += seconds.reduction;
    device_seconds_->total += seconds.total;
  }

  std::size_t piece_rules() const noexcept {
    return in_stages_ ? most_rules_in_stages : most_rules;
  }

  bool has_wide() const {
    return std::any_of(data_.places().begin(), data_.places().end(),
                       [](const PlanePlace& place) { return place.planes > pass_planes; });
  }

  const TargetPlanes& target(std::uint32_t attribute) {
    const auto found = targets_.find(attribute);
    if (found != targets_.end()) return found->second;
    return targets_.try_emplace(attribute, dataset_, attribute, target_slice_words).first->second;
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

  void write(const Piece& piece, const TargetPlanes* target, std::span<RuleCounts> out) {
    for (const Piece::Part& part : piece.parts()) {
      known_.clear();
      for (std::size_t set = 0; set < part.batch.present_sets(); ++set) {
        known_.push_back(present(part.batch.present_set(set)));
      }
      write(part, piece.counts(), target, out.subspan(part.first_rule));
    }
  }

  void write(const Piece::Part& part, const DeviceCounters& counts, const TargetPlanes* target,
             std::span<RuleCounts> out) const {
    const EvaluateOptions& options = part.batch.options();
    const std::uint64_t rows = dataset_.rows();
    const Operand* operand = part.batch.operands().data();
    std::size_t r = part.first_rule;
    for (const CompiledRule& rule : part.batch.rules()) {
      RuleCounts& to = out[r - part.first_rule];
      const std::uint64_t known = known_[rule.present_set];
      to.table = {options.exclude_missing_consequent ? known : rows, counts.rules[r * 3],
                  counts.rules[r * 3 + 1], counts.rules[r * 3 + 2]};
      if (options.mean) {
        LevelSums both{counts.rules[r * 3 + 2], counts.sums[r], 0};
        if (options.mean->deviations) {
          both.squares = counts.squares[r * 2] +
                         (static_cast<LevelSums::Wide>(counts.squares[r * 2 + 1]) << 32);
        }
        to.table.target = target_moments(target->scale(), *options.mean, target->all(), both);
      }
      to.missing_consequent = rows - known;
      to.comparison_supports.clear();
      for (std::uint32_t c = 0; options.comparison_supports && c < rule.comparisons;
           ++c, ++operand) {
        const std::uint64_t support = counts.supports[part.program.position(operand->comparison)];
        to.comparison_supports.push_back(operand->complement ? rows - support : support);
      }
      to.coverage_hash = {0, 0};
      if (options.coverage_hashes) {
        to.coverage_hash = {counts.hashes[r * 2], counts.hashes[r * 2 + 1]};
      }
      ++r;
    }
  }

  const Dataset& dataset_;
  ThreadPool& pool_;
  bool in_stages_;
  DeviceLimits limits_;
  DeviceData data_;
  std::map<std::uint32_t, TargetPlanes> targets_;  // [attribute] made when first asked for
  std::map<std::vector<std::uint32_t>, std::uint64_t> present_;
  std::vector<std::uint64_t> known_;  // [present sets of a part]
  std::vector<std::unique_ptr<Running>> running_;
  std::vector<std::unique_ptr<Running>> spare_;
  BatchId last_ = 0;
  bool timed_ = false;
  std::optional<DeviceSeconds> device_seconds_;
};

}  // namespace

std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset, const DeviceOptions& options,
                                          ThreadPool& pool) {
  check(cudaSetDevice(options.device));
  return std::make_unique<CudaEvaluator>(dataset, options, pool);
}

void time_batches(Evaluator& evaluator, bool on) {
  if (auto* const ours = dynamic_cast<CudaEvaluator*>(&evaluator)) ours->time_batches(on);
}

std::optional<DeviceSeconds> last_device_seconds(const Evaluator& evaluator) {
  const auto* const ours = dynamic_cast<const CudaEvaluator*>(&evaluator);
  return ours == nullptr ? std::nullopt : ours->last_device_seconds();
}

}  // namespace atl::cuda
