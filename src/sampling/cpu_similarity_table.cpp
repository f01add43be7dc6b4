#include <utility>
#include <vector>

#include "src/sampling/coverage_table.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {
namespace {

class CpuSimilarityTable final : public SimilarityTable {
 public:
  explicit CpuSimilarityTable(std::shared_ptr<const CoverageSample> sample)
      : sample_(std::move(sample)) {}

  void prepare(std::span<const Rule* const> candidates) override { rules_ = candidates; }
  void start() override {
    // Kept even if there are fewer, so that nothing is allocated anew.
    if (candidates_.size() < rules_.size()) candidates_.resize(rules_.size());
    for (std::size_t i = 0; i < rules_.size(); ++i) sample_->cover(*rules_[i], candidates_[i]);
  }
  void finish() override {}

  std::uint32_t first_row(std::size_t candidate) const override {
    return sample_->first_row(candidates_[candidate].words.data());
  }
  std::optional<std::size_t> most_similar(std::size_t candidate, double least,
                                          std::size_t likely) override {
    return members_.most_similar(candidates_[candidate], least, likely);
  }
  void place(std::size_t candidate, std::size_t slot) override {
    if (slot == members_.size()) {
      members_.push_back(candidates_[candidate]);
    } else {
      members_.set(slot, candidates_[candidate]);
    }
  }

  std::size_t size() const noexcept override { return members_.size(); }
  void clear() noexcept override { members_.clear(); }
  std::span<const std::uint64_t> antecedent(std::size_t slot) const override {
    return members_.antecedent(slot);
  }
  std::span<const std::uint64_t> consequent(std::size_t slot) const override {
    return members_.consequent(slot);
  }

 private:
  std::shared_ptr<const CoverageSample> sample_;
  CoverageTable members_;
  std::span<const Rule* const> rules_;
  std::vector<Coverage> candidates_;  // [rules_] and what former batches had more
};

}  // namespace

std::unique_ptr<SimilarityTable> make_cpu_similarity_table(
    std::shared_ptr<const CoverageSample> sample) {
  return std::make_unique<CpuSimilarityTable>(std::move(sample));
}

}  // namespace atl
