// Tables with a known truth: a correlated background and rules planted in it.
// docs/reference/generate.md describes the recipe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/generate/block_stream.hpp"
#include "src/generate/marginal.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

struct PlantedOptions {
  std::uint64_t seed = 1;
  std::uint32_t attributes = 20;
  std::uint32_t rules = 10;
  double missing = 0.02;  ///< share of missing values in the attributes that have some
};

/// A conjunction of comparisons and the comparison that follows from it, by codes of the source.
struct PlantedRule {
  std::vector<Comparison> antecedent;  ///< on different attributes, ascending
  Comparison consequent;
  double confidence = 0;  ///< with which the consequent is drawn where the antecedent holds
};

inline bool holds(const Comparison& comparison, std::span<const std::uint32_t> codes) noexcept {
  const std::uint32_t code = codes[comparison.attribute];  // missing_code is above every high
  return comparison.low <= code && code <= comparison.high;
}

inline bool holds(std::span<const Comparison> conjunction,
                  std::span<const std::uint32_t> codes) noexcept {
  for (const Comparison& comparison : conjunction) {
    if (!holds(comparison, codes)) return false;
  }
  return true;
}

/// A source with planted rules. Without rules all attributes are independent: no factors, no
/// copies, no Simpson pair.
class PlantedSource final : public RowSource {
 public:
  /// @throws UsageError if there are too few attributes for rules
  explicit PlantedSource(const PlantedOptions& options);

  void make_row(std::uint64_t row, std::span<std::uint32_t> codes) const override;

  std::span<const PlantedRule> rules() const noexcept { return rules_; }
  /// The distribution of the background, before rules are planted and values go missing.
  const Marginal& marginal(std::size_t attribute) const noexcept { return marginals_[attribute]; }

 private:
  static constexpr std::size_t factors = 3;
  struct Copula {
    std::array<double, factors> loadings{};
    double own = 1;  ///< weight of the attribute's own variable; all squares add up to 1
  };

  void add(DistributedAttribute made);
  void add_base(std::uint32_t count);
  void add_copies(std::uint32_t count);
  void add_simpson_pair();
  void draw_rules(std::uint32_t count);
  /// Base attributes that antecedents are planted on; those after them are for consequents.
  std::uint32_t inputs() const noexcept;
  void make_background(RandomStream& stream, std::span<std::uint32_t> codes) const;

  std::uint64_t seed_;
  double missing_;
  bool correlated_;  ///< has factors, copies, and Simpson's pair as the last three attributes
  std::vector<Marginal> marginals_;
  std::vector<Copula> copulas_;        ///< of the base attributes, which come first
  std::vector<std::uint32_t> copied_;  ///< the sources of the copies, which come next
  std::vector<PlantedRule> rules_;
};

}  // namespace atl
