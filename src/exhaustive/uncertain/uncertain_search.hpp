// Probabilistic frequent itemsets, level by level (pApriori: Sun et al. 2010, "Mining uncertain
// data with probabilistic guarantees").
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/data/transactions/uncertain_sink.hpp"
#include "src/exhaustive/levels/candidate_maker.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"
#include "src/exhaustive/uncertain/tail_judge.hpp"
#include "src/exhaustive/uncertain/uncertain_columns.hpp"

namespace atl {

/// What counts candidates, and what measures the supports of those that are left. Both are of the
/// same columns.
struct UncertainMeans {
  std::unique_ptr<CandidateCounter> counter;
  std::unique_ptr<SupportMeter> meter;
  /// About how many candidates are looked at before somebody may ask to stop.
  std::uint64_t candidates_at_once = std::uint64_t{1} << 15;
};
using MakeUncertainMeans = std::function<UncertainMeans(const UncertainColumns&)>;

/// The executable specifications.
UncertainMeans reference_means(const UncertainColumns& columns);
/// Of the pool's threads. The pool must outlive what is made.
MakeUncertainMeans means_of_cores(ThreadPool& pool);

void put(ByteWriter& out, const JudgedSets& judged);
/// @throws BadBytes
JudgedSets get_judged(ByteReader& in);
void put(ByteWriter& out, std::span<const UncertainSupport> supports);
/// @throws BadBytes
std::vector<UncertainSupport> get_supports(ByteReader& in);

/// The frequent sets of one item more than those of some range, in their order.
struct UncertainChildren {
  SetRange sets{0, 0};                     ///< those that were gone through
  std::vector<std::uint32_t> numbers;      ///< [sets] of each one's children
  std::vector<std::uint32_t> ranks;        ///< [children] of the last item
  std::vector<UncertainSupport> supports;  ///< [children]
  JudgedSets judged;

  void put(ByteWriter& out) const;
  /// @throws BadBytes
  static UncertainChildren get(ByteReader& in);
};

/// Finds the sets of one level from those of the level before. Each rank has one.
class UncertainSearch {
 public:
  /// @param make_means  called when means are first needed, and once more after keep_items()
  /// Transactions and pool must outlive it.
  UncertainSearch(const TransactionSet& transactions, const UncertainLimits& limits,
                  MakeUncertainMeans make_means, ThreadPool& pool);

  /// Items that may be frequent, by rank.
  std::uint32_t items() const noexcept { return columns_.bitmaps.items(); }
  /// The items that a level's sets have. @param rank  as in the levels
  const std::vector<std::uint32_t>& names() const noexcept { return columns_.bitmaps.names; }
  /// Goes on with the frequent items alone. To be called once, before there are levels.
  /// @param ranks  of these, ascending
  void keep_items(const std::vector<std::uint32_t>& ranks);
  /// Sets of 1 item, of 2, and so on, without supports; of the first level all items that were
  /// kept. The last has no children yet.
  std::vector<ItemsetLevel>& levels() noexcept { return levels_; }

  /// Before there are levels: the frequent ones of a range of items, as children of themselves.
  /// Later: the children of a range of the last level's sets. Stops before the end of the range,
  /// and says so in `sets`, if it is told to. Blocking. @throws DeviceFailed
  UncertainChildren find(SetRange sets, const std::stop_token& stop);
  /// The set that find() has come to. Any thread may ask.
  std::uint32_t at() const noexcept { return at_; }

 private:
  void make_means();
  void find_items(SetRange range, UncertainChildren& found);
  void find_pairs(SetRange range, const std::stop_token& stop, UncertainChildren& found);
  void find_next(SetRange range, const std::stop_token& stop, UncertainChildren& found);
  void judge(UncertainChildren& found);
  void ask_frequent(const Candidates& all);
  void ask(std::uint32_t set, std::span<const std::uint32_t> prefix, ItemPair pair,
           std::uint32_t count);

  UncertainLimits limits_;
  MakeUncertainMeans make_means_;
  ThreadPool& pool_;
  UncertainColumns columns_;
  UncertainMeans means_;  // none until they are needed
  std::optional<TailJudge> judge_;
  std::vector<ItemsetLevel> levels_;
  std::atomic<std::uint32_t> at_ = 0;
  // Candidates that enough transactions have:
  RankedSets asked_;
  std::vector<std::uint32_t> parents_;  // [asked] the set that each is a child of
  std::vector<std::uint32_t> counts_;   // [asked] transactions that have it
  std::vector<Candidates> candidates_;
};

}  // namespace atl
