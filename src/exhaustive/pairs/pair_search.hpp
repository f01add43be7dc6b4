// Counts all pairs of frequent items, band by band.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/core/memory_limit.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/pairs/list_counter.hpp"
#include "src/exhaustive/pairs/pair_counter.hpp"
#include "src/exhaustive/pairs/pair_plan.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// Makes what counts rectangles; null for lists.
using MakePairCounter = std::function<std::unique_ptr<PairCounter>(
    PairForm form, const PairRows& rows, std::uint32_t columns, ThreadPool& pool)>;

/// How pairs are to be counted.
struct PairMeans {
  std::optional<PairForm> form;  ///< none: what takes the least time for each two bands
  MakePairCounter make_counter = make_pair_counter;
  std::uint32_t band_rows = 64;
  PairCosts costs = core_costs;
};
/// Chooses for rows, which are the same on all ranks. Collective.
using ChoosePairMeans = std::function<PairMeans(const PairRows& rows)>;

/// The frequent pairs of an item: with the more frequent items of these ranks, ascending.
struct PairRow {
  std::uint32_t row;
  std::span<const std::uint32_t> columns;
  std::span<const std::uint32_t> counts;  ///< [columns]
};

class PairSearch {
 public:
  /// Blocking, on the threads of the pool, which must outlive it.
  /// @param min_count  transactions that a pair is in, at least
  /// @throws UsageError if a form takes more memory than is left
  PairSearch(PairRows rows, std::uint64_t min_count, const PairMeans& means, ThreadPool& pool,
             const MemoryLimit& memory);

  const PairRows& rows() const noexcept { return rows_; }
  const PairPlan& plan() const noexcept { return plan_; }
  /// Calls use() with each of some rows of a band in turn. Several threads may do so at once.
  /// @param band    its number in the plan
  /// @param rows    of the band
  /// @param worker  the thread's number in the pool
  void count(std::size_t band, RankRange rows, unsigned worker,
             const std::function<void(const PairRow&)>& use);

 private:
  /// Bytes that a thread needs for the counts of a band, at most.
  std::uint64_t bytes_of_thread() const noexcept;

  struct Scratch {
    explicit Scratch(const PairRows& rows) : lists(rows) {}
    ListCounter lists;
    std::vector<std::uint32_t> rectangle, columns{}, counts{};
  };

  PairRows rows_;
  std::uint64_t min_count_;
  PairPlan plan_;
  std::vector<std::unique_ptr<PairCounter>> counters_;  // [pair_forms] null where not needed
  std::vector<std::unique_ptr<Scratch>> scratch_;       // [threads] made when first needed
};

}  // namespace atl
