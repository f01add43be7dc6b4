// The best rules of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <vector>

#include "src/measures/measures.hpp"
#include "src/results/niche.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// The best rules offered, by one total order: the measure (greater first, values that do not exist
/// last), then fewer comparisons, then the rule's order. Of each structure only the first
/// `per_structure` count, so that a strong rule does not fill the archive with itself at slightly
/// other bounds; of each bucket the first `per_bucket`, so that it does not with
/// whatever covers nearly its rows; of those on one consequent the first `capacity` are kept, so
/// that one strong consequent does not push out the others. Of one rule offered twice the earlier
/// find (generation, island) stays. Merging keeps what offering everything to one archive would:
/// associative and commutative, so archives of any number of ranks give the same result.
class Archive {
 public:
  static constexpr std::size_t per_structure = 4;

  /// @param capacity  rules kept for each consequent
  Archive(Measure by, std::size_t capacity,
          std::size_t per_bucket = std::numeric_limits<std::size_t>::max());

  /// True if it entered. Costs a look-up and a comparison when it is too weak to enter.
  /// @param niche  of the record
  bool offer(const RuleRecord& record, const Niche& niche);
  void merge(const Archive& other);

  Measure by() const noexcept { return by_; }
  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t per_bucket() const noexcept { return per_bucket_; }
  std::size_t size() const noexcept { return size_; }
  /// Greatest value of a measure among the rules, NaN if none exists.
  double best(Measure measure) const noexcept;
  /// All of them, best first.
  std::vector<RuleRecord> rules() const;

 private:
  // Small, as they move when one is put in between.
  struct Entry {
    double value;             // of by_
    std::uint64_t bucket;     // of its niche
    std::uint64_t structure;  // likewise
    std::uint32_t record;     // in records_
  };

  template <typename Kind>
  bool keep_first(std::vector<Entry>& entries, std::size_t most, const Kind& kind);
  std::uint32_t store(const RuleRecord& record);
  void erase(std::vector<Entry>& entries, std::vector<Entry>::iterator entry);

  Measure by_;
  std::size_t capacity_;
  std::size_t per_bucket_;
  std::size_t size_ = 0;
  std::map<std::uint64_t, std::vector<Entry>> consequents_;  // each best first
  std::deque<RuleRecord> records_;
  std::vector<std::uint32_t> free_;  // of records_
};

}  // namespace atl
