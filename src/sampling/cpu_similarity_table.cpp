#include <utility>

#include "src/sampling/coverage_table.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {

namespace {

class CpuSimilarityTable final : public SimilarityTable {
 public:
  explicit CpuSimilarityTable(std::shared_ptr<const CoverageSample> sample)
      : sample_(std::move(sample)) {}

  void prepare(std::span<const Rule* const> candidates) override {
    rules_ = candidates;
    found_ = none;
  }
  void start() override {}
  void finish() override {}

  std::uint32_t first_row(std::size_t candidate) const override {
    return sample_->first_row(coverage(candidate).words.data());
  }
  std::optional<std::size_t> most_similar(std::size_t candidate, double least,
                                          std::size_t likely) override {
    return members_.most_similar(coverage(candidate), least, likely);
  }
  void place(std::size_t candidate, std::size_t slot) override {
    if (slot == members_.size()) {
      members_.push_back(coverage(candidate));
    } else {
      members_.set(slot, coverage(candidate));
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
  static constexpr std::size_t none = ~std::size_t{0};

  // Found when it is asked for, and kept until another is: all of a batch would fill a cache.
  const Coverage& coverage(std::size_t candidate) const {
    if (found_ != candidate) sample_->cover(*rules_[candidate], coverage_);
    found_ = candidate;
    return coverage_;
  }

  std::shared_ptr<const CoverageSample> sample_;
  CoverageTable members_;
  std::span<const Rule* const> rules_;
  mutable std::size_t found_ = none;  // the candidate whose coverage it is
  mutable Coverage coverage_;
};

}  // namespace

std::unique_ptr<SimilarityTable> make_cpu_similarity_table(
    std::shared_ptr<const CoverageSample> sample) {
  return std::make_unique<CpuSimilarityTable>(std::move(sample));
}

}  // namespace atl
