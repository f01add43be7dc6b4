// Transactions in which every item is with the same probability, independent of all others (as
// Amossen and Pagh 2011, "A new data layout for set intersection on GPUs", measure by).
#pragma once

#include <cstdint>

#include "src/generate/basket_source.hpp"

namespace atl {

struct RandomBasketsOptions {
  std::uint32_t items = 1000;  ///< numbered from 0
  double probability = 0.01;   ///< that a transaction has an item, in (0, 1]
  std::uint64_t seed = 1;
};

/// A transaction may have no item.
class RandomBasketsSource final : public BasketSource {
 public:
  explicit RandomBasketsSource(const RandomBasketsOptions& options);

  void make(RowRange slice, const Take& take) const override;
  double mean_items() const noexcept override { return options_.items * options_.probability; }

 private:
  RandomBasketsOptions options_;
  double log_without_;  // ln of the probability that a transaction is without an item
};

}  // namespace atl
