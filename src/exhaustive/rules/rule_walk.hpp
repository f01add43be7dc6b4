// The rules of one length, depth first over antecedents, in parts that can be stopped.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/rules/item_rule.hpp"

namespace atl {

/// Rows that two items have in common.
class LabelPairCounts {
 public:
  /// Ranks share the work. Collective.
  LabelPairCounts(const Items& items, ThreadPool& pool, Communicator& ranks);

  std::uint32_t operator()(Item a, Item b) const noexcept { return counts_[a * size_ + b]; }

 private:
  std::size_t size_;
  std::vector<std::uint32_t> counts_;
};

/// What walks of all lengths have in common. Its items and limits outlive it.
struct WalkedSpace {
  /// Collective.
  WalkedSpace(const Items& items, const RuleLimits& limits, ThreadPool& pool, Communicator& ranks);

  const Items& items;
  const RuleLimits& limits;
  LabelPairCounts pairs;
  std::vector<Item> consequents;
};

/// Antecedents that begin with the items of `way`, and go on with one of [first, end).
struct WalkRange {
  std::vector<Item> way;  ///< ascending
  Item first = 0, end = 0;

  friend bool operator==(const WalkRange&, const WalkRange&) = default;
};

Bytes to_bytes(const WalkRange& range);
/// @throws BadBytes
WalkRange walk_range_from(std::span<const std::byte> bytes);

/// What all walks of one length look for.
struct WalkedLength {
  std::size_t antecedent = 1;  ///< its items
  std::int64_t threshold = 1;  ///< least scaled_leverage
};

/// What was found in ranges of one length.
struct WalkFindings {
  std::vector<CountedRule> rules;  ///< in any order
  std::uint64_t evaluated = 0;     ///< shorter rules on the way, too
  std::uint64_t counted = 0;       ///< rules of the length
  std::vector<WalkRange> left;     ///< where it was stopped
  bool complete = true;            ///< false: it was cut short
};

/// How many antecedents of a length there are, viable or not, for progress and to cut ranges.
class AntecedentCounts {
 public:
  AntecedentCounts() = default;
  AntecedentCounts(const Items& items, std::size_t antecedent);

  double of(const WalkRange& range) const;
  /// Those whose item at `depth` is in [first, end), behind the item `last`.
  double of(std::size_t depth, Item last, Item first, Item end) const;
  /// Cuts a range where its first part has about that share of them; neither part is empty.
  /// @pre it has two items
  Item cut(const WalkRange& range, double share) const;

 private:
  std::size_t antecedent_ = 0;
  std::vector<Item> next_attribute_;        ///< [items] the first item of a later attribute
  std::vector<std::vector<double>> after_;  ///< [set size][items + 1] sets of items from there on
};

/// Antecedents that walks have left, of which others may ask meanwhile.
struct WalkProgress {
  const AntecedentCounts& counts;
  std::atomic<double> left = 0;
};

/// Walks the ranges on the threads of the pool. What is found does not depend on how often it was
/// stopped, nor on how ranges were cut. Blocking.
/// @param progress  if not null, is told of all that is done
/// @param most  `evaluated` of what begins with one item; beyond it that is cut short
WalkFindings walk(const WalkedSpace& space, const WalkedLength& length,
                  const std::vector<WalkRange>& ranges, ThreadPool& pool,
                  const std::stop_token& stop = {}, WalkProgress* progress = nullptr,
                  std::uint64_t most = ~std::uint64_t{0});

}  // namespace atl
