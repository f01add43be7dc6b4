// The table of similarities that every other must agree with: plain loops over rows and members.
#include <utility>
#include <vector>

#include "src/data/bit_planes.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {
namespace {

/// The rows of a sample on which the sides of a rule hold.
struct SampledRows {
  std::vector<std::uint64_t> antecedent, consequent;  // [words] bits
};

bool has(const std::vector<std::uint64_t>& rows, std::size_t row) {
  return (rows[row / 64] >> row % 64 & 1) != 0;
}

class ReferenceSimilarityTable final : public SimilarityTable {
 public:
  explicit ReferenceSimilarityTable(std::shared_ptr<const CoverageSample> sample)
      : sample_(std::move(sample)) {}

  void prepare(std::span<const Rule* const> candidates) override { rules_ = candidates; }
  void start() override {
    candidates_.clear();
    for (const Rule* const rule : rules_)
      candidates_.push_back({rows_of(rule->antecedent), rows_of(rule->consequent)});
  }
  void finish() override {}

  std::uint32_t first_row(std::size_t candidate) const override {
    for (const std::uint32_t row : sample_->order())
      if (has(candidates_[candidate].antecedent, row)) return row;
    return static_cast<std::uint32_t>(sample_->rows());
  }

  std::optional<std::size_t> most_similar(std::size_t candidate, double least,
                                          std::size_t /*likely*/) override {
    std::optional<std::size_t> found;
    double most = 0;
    for (std::size_t slot = 0; slot < members_.size(); ++slot) {
      const double similarity =
          index(candidates_[candidate].antecedent, members_[slot].antecedent) *
          index(candidates_[candidate].consequent, members_[slot].consequent);
      if (similarity < least || similarity <= most) continue;
      most = similarity;
      found = slot;
    }
    return found;
  }

  void place(std::size_t candidate, std::size_t slot) override {
    if (slot == members_.size()) members_.emplace_back();
    members_[slot] = candidates_[candidate];
  }

  std::size_t size() const noexcept override { return members_.size(); }
  void clear() noexcept override { members_.clear(); }
  std::span<const std::uint64_t> antecedent(std::size_t slot) const override {
    return members_[slot].antecedent;
  }
  std::span<const std::uint64_t> consequent(std::size_t slot) const override {
    return members_[slot].consequent;
  }

 private:
  /// Bounds are rounded to the sample's levels, as CoverageSample says.
  bool holds(const Comparison& c, std::size_t row) const {
    const std::uint32_t code = sample_->codes(row)[c.attribute];
    if (code == missing_code || asks_missing(c)) return takes(c, code);
    const auto level = [&](std::uint32_t of) { return sample_->level(c.attribute, of); };
    return (level(c.low) <= level(code) && level(code) <= level(c.high)) != c.negated;
  }

  bool holds(const Expression& side, std::size_t row) const {
    std::vector<bool> stack;
    auto comparison = side.comparisons().begin();
    for (const Op op : side.program()) {
      if (op == Op::comparison) {
        stack.push_back(holds(*comparison++, row));
      } else if (op == Op::negation) {
        stack.back() = !stack.back();
      } else {
        const bool right = stack.back();
        stack.pop_back();
        stack.back() = op == Op::conjunction ? stack.back() && right : stack.back() || right;
      }
    }
    return stack.back();
  }

  std::vector<std::uint64_t> rows_of(const Expression& side) const {
    std::vector<std::uint64_t> rows(sample_->words());
    for (std::size_t row = 0; row < sample_->rows(); ++row)
      if (holds(side, row)) rows[row / 64] |= std::uint64_t{1} << row % 64;
    return rows;
  }

  /// Jaccard's: rows in both over rows in either.
  double index(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) const {
    std::uint32_t both = 0, either = 0;
    for (std::size_t row = 0; row < sample_->rows(); ++row) {
      both += has(a, row) && has(b, row) ? 1 : 0;
      either += has(a, row) || has(b, row) ? 1 : 0;
    }
    return either == 0 ? 0 : static_cast<double>(both) / static_cast<double>(either);
  }

  std::shared_ptr<const CoverageSample> sample_;
  std::span<const Rule* const> rules_;
  std::vector<SampledRows> candidates_;  // [rules_]
  std::vector<SampledRows> members_;     // [slot]
};

}  // namespace

std::unique_ptr<SimilarityTable> make_reference_similarity_table(
    std::shared_ptr<const CoverageSample> sample) {
  return std::make_unique<ReferenceSimilarityTable>(std::move(sample));
}

}  // namespace atl
