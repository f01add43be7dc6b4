// Transactions after the generator of IBM's Quest project (Agrawal and Srikant 1994, "Fast
// algorithms for mining association rules", section 2.4.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/random.hpp"
#include "src/generate/basket_source.hpp"

namespace atl {

/// Options, in brackets as the paper names them.
struct QuestOptions {
  double length = 10;             ///< [T] mean items of a transaction, 1 to 500
  double pattern_length = 4;      ///< [I] mean items of a pattern, 1 to 500
  std::uint32_t items = 1000;     ///< [N] different items, numbered from 0
  std::uint32_t patterns = 2000;  ///< [L] itemsets of which transactions are made
  double correlation = 0.5;       ///< mean share of a pattern that the one before it has, too
  double corruption = 0.5;        ///< mean corruption level of a pattern; its variance is 0.1
  std::uint64_t seed = 1;
};

/// Transactions are made of patterns, which stand for what people buy together. A transaction takes
/// patterns by their weights until it has as many items as were drawn for it, and of each drops
/// items while draws are below the pattern's corruption level. What does not fit any more is put
/// in nevertheless in half of the cases, and else waits for the next transaction of the slice.
class QuestSource final : public BasketSource {
 public:
  explicit QuestSource(const QuestOptions& options);

  void make(RowRange slice, const Take& take) const override;
  double mean_items() const noexcept override { return options_.length; }

  struct Pattern {
    std::vector<std::uint32_t> items;  ///< ascending
    double corruption = 0;             ///< 0 to 1
  };
  const std::vector<Pattern>& patterns() const noexcept { return patterns_; }

 private:
  class Maker;

  void make_pattern(RandomStream& stream, double least);
  const Pattern& draw_pattern(RandomStream& stream) const;

  QuestOptions options_;
  std::vector<Pattern> patterns_;
  std::vector<double> weights_;  // [patterns] cumulative
};

}  // namespace atl
