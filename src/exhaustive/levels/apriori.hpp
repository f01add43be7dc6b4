// Frequent itemsets level by level (Agrawal and Srikant 1994, "Fast algorithms for mining
// association rules").
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/thread_pool.hpp"
#include "src/exhaustive/levels/candidate_maker.hpp"
#include "src/exhaustive/levels/candidates.hpp"

namespace atl {

/// The search level by level, which can be stopped within a level and saved.
class LevelSearch {
 public:
  /// Takes the arguments as find_levels() has them; all but the limits must outlive it.
  LevelSearch(const ItemBitmaps& bitmaps, const ItemsetLimits& limits, CandidateCounter& counter,
              ThreadPool& pool, std::uint64_t max_bytes);

  /// May there be sets of one item more?
  bool has_next() const;
  std::uint32_t last_level_size() const noexcept { return found_.levels.back().sets(); }
  std::size_t length() const noexcept {
    return found_.levels.size();
  }  ///< of the last level's sets
  /// Finds those of the next level that begin with sets of the last one, from `first` to end - 1.
  /// Blocking. @return `end`, or the first that is left after somebody asked to stop
  /// @pre sets before `first` are done
  std::uint32_t work(std::uint32_t first, std::uint32_t end, const std::stop_token& stop);
  /// @pre work() has done all of the last level
  void end_level();
  /// @pre has_next() is false
  ItemsetLevels take();

  void save(ByteWriter& out) const;
  /// Replaces all that was found. @throws BadBytes
  void load(ByteReader& in);

 private:
  std::vector<ItemsetLevel>& levels() noexcept { return found_.levels; }
  std::uint32_t find_pairs(std::uint32_t first, std::uint32_t end, const std::stop_token& stop);
  std::uint32_t find_next(std::uint32_t first, std::uint32_t end, const std::stop_token& stop);
  void count(const std::vector<SetRange>& ranges);
  void take(const Candidates& candidates, const SetRange& range);
  void make_room(std::size_t more);

  const ItemBitmaps& bitmaps_;
  ItemsetLimits limits_;
  CandidateCounter& counter_;
  ThreadPool& pool_;
  std::uint64_t max_bytes_;
  ItemsetLevels found_;
  ItemsetLevel next_;                       // as far as it is found
  std::vector<std::uint32_t> first_child_;  // in it, of the last level
  std::vector<Candidates> candidates_;      // of each range
};

/// All frequent sets up to the greatest length, of any least length. Blocking. The pool's threads
/// make candidates.
/// @param bitmaps  of the items that are in at least `min_count` transactions
/// @param counter  of the same bitmaps
/// @param max_bytes  of the sets held, while a level grows, too; candidates take up to 300 MB
/// beside
/// @throws UsageError if they would take more
/// @throws what the counter throws
ItemsetLevels find_levels(const ItemBitmaps& bitmaps, const ItemsetLimits& limits,
                          CandidateCounter& counter, ThreadPool& pool, std::uint64_t max_bytes);

}  // namespace atl
