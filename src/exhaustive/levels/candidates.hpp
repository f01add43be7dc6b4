// Candidates of the level-wise search: which sets are to be counted, and what counts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/transactions/itemset_sink.hpp"
#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/exhaustive/levels/item_bitmaps.hpp"

namespace atl {

/// The sets of one length in their order. Each is a set of the level above, its parent, and one
/// item more, which is more frequent; the children of a set follow each other.
struct ItemsetLevel {
  std::vector<std::uint32_t> ranks;        ///< [sets] of the last item
  std::vector<std::uint32_t> supports;     ///< [sets]
  std::vector<std::uint32_t> first_child;  ///< [sets + 1] in the next level, if there is one

  std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(ranks.size()); }
};

/// All frequent sets: 12 bytes each.
class ItemsetLevels {
 public:
  static constexpr std::uint64_t bytes_of_set = 12;
  static constexpr std::uint32_t most_sets = ~std::uint32_t{0} - 1;  ///< of a level

  /// @param names  [items] by rank, what a sink calls them
  explicit ItemsetLevels(std::vector<std::uint32_t> names) : names_(std::move(names)) {}

  /// [longest length + 1] numbers of sets by length, as count_itemsets() gives them.
  std::vector<std::uint64_t> by_length(const ItemsetLimits& limits) const;
  /// The sets in the order of list_itemsets(). @throws whatever the sink throws
  void hand_over(const ItemsetLimits& limits, ItemsetSink& sink) const;

  std::vector<ItemsetLevel> levels;  ///< [longest length] sets of 1 item, of 2, ...

 private:
  std::vector<std::uint32_t> names_;
};

/// The last two items of a candidate, by rank: `rare` > `frequent`.
struct ItemPair {
  std::uint32_t rare, frequent;
};

/// Candidates of one length from 3 on, in the order of sets. Those of a class have the same prefix,
/// all items but the last two; those of a group have the same set of one item less.
struct Candidates {
  struct Class {
    std::uint32_t prefix;  ///< where its items begin in `prefixes`
    std::uint32_t end;     ///< of its pairs
  };
  struct Group {
    std::uint32_t set;  ///< its number in the level
    std::uint32_t end;  ///< of its pairs
  };

  std::uint32_t prefix_length = 0;
  std::vector<std::uint32_t> prefixes;  ///< [classes][prefix_length] ranks, descending
  std::vector<Class> classes;
  std::vector<Group> groups;
  std::vector<ItemPair> pairs;          ///< of each candidate
  std::vector<std::uint32_t> supports;  ///< [pairs] written by a counter

  void clear(std::uint32_t length) {
    prefix_length = length;
    prefixes.clear();
    classes.clear();
    groups.clear();
    pairs.clear();
  }
};

/// Pairs of items of which the rarer has a rank below `rank`: where the pairs of that rank begin.
constexpr std::uint64_t pairs_before(std::uint64_t rank) noexcept {
  return rank * (rank - 1) / 2;
}

/// Counts the transactions that have candidates. Equal on every backend; for one thread.
class CandidateCounter {
 public:
  virtual ~CandidateCounter() = default;
  /// Counts all pairs of which the rarer item has a rank from first to last - 1. Blocking.
  /// @param supports  [pairs_before(last) - pairs_before(first)] overwritten, by the rarer item's
  ///                  rank, then the other's
  /// @pre first >= 1
  /// @throws BackendUnavailable, DeviceFailed
  virtual void count_pairs(std::uint32_t first, std::uint32_t last,
                           std::span<std::uint32_t> supports) = 0;
  /// Writes the supports of each. Blocking. @throws BackendUnavailable, DeviceFailed
  virtual void count(std::span<Candidates> candidates) = 0;
};

/// The executable specification: looks at each transaction for each candidate.
std::unique_ptr<CandidateCounter> make_reference_candidate_counter(const ItemBitmaps& bitmaps);

/// AND and popcount on the pool's threads. Both must outlive it.
std::unique_ptr<CandidateCounter> make_cpu_candidate_counter(const ItemBitmaps& bitmaps,
                                                             ThreadPool& pool);

}  // namespace atl
