// Takes from the miner of probabilistic itemsets what it finds, set by set.
#pragma once

#include <cstdint>

namespace atl {

/// The support of a set of items where transactions exist with a probability.
struct UncertainSupport {
  double probability = 0;  ///< that the support is at least the least one
  std::uint32_t rows = 0;  ///< transactions that have all items of the set, likely or not
  double expected = 0;     ///< mean of the support
  double variance = 0;     ///< of the support
};

/// Makes text of the sets: all that begin with the items that were added and not removed since.
class UncertainText {
 public:
  virtual ~UncertainText() = default;
  /// The prefix, empty at first, has one item more.
  virtual void add(std::uint32_t item) = 0;
  /// The prefix loses its last item.
  virtual void remove() = 0;
  /// The prefix is a set to list.
  virtual void found(const UncertainSupport& support) = 0;
  /// Writes what is left.
  virtual void finish() = 0;
};

}  // namespace atl
