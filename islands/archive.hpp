// The best rules of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <vector>

#include "islands/niche.hpp"
#include "src/rules/measures.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// The best rules offered, by one total order: the measure (greater first, values that do not exist
/// last), then fewer comparisons, then the rule's order. Of each niche only the first `per_niche`
/// count, so that a strong rule does not fill the archive with itself at slightly other bounds; of
/// those of one leader the first `per_leader`, so that it does not fill it with itself and further
/// comparisons; of those on one consequent the first `capacity` are kept, so that one strong
/// consequent does not push out the others. Of one rule offered twice the earlier find (generation,
/// island) stays. Merging keeps what offering everything to one archive would: associative and
/// commutative, so archives of any number of ranks give the same result.
class Archive {
 public:
  static constexpr std::size_t per_niche = 4;

  /// @param capacity  rules kept for each consequent
  Archive(Measure by, std::size_t capacity,
          std::size_t per_leader = std::numeric_limits<std::size_t>::max());

  /// True if it entered. Costs a look-up and a comparison when it is too weak to enter.
  /// @param niche  of the record's rule
  bool offer(const RuleRecord& record, const Niche& niche);
  void merge(const Archive& other);

  Measure by() const noexcept { return by_; }
  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t per_leader() const noexcept { return per_leader_; }
  std::size_t size() const noexcept { return size_; }
  /// Greatest value of a measure among the rules, NaN if none exists.
  double best(Measure measure) const noexcept;
  /// All of them, best first.
  std::vector<RuleRecord> rules() const;

 private:
  // Small, as they move when one is put in between.
  struct Entry {
    double value;             // of by_
    std::uint64_t leader;     // of its niche
    std::uint64_t structure;  // likewise
    std::uint32_t record;     // in records_
  };

  template <typename Kind>
  bool keep_first(std::vector<Entry>& entries, std::size_t most, const Kind& kind);
  std::uint32_t store(const RuleRecord& record);
  void erase(std::vector<Entry>& entries, std::vector<Entry>::iterator entry);

  Measure by_;
  std::size_t capacity_;
  std::size_t per_leader_;
  std::size_t size_ = 0;
  std::map<std::uint64_t, std::vector<Entry>> consequents_;  // each best first
  std::deque<RuleRecord> records_;
  std::vector<std::uint32_t> free_;  // of records_
};

}  // namespace atl
