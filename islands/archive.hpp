// The best rules of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/rules/measures.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// The best rules offered, by one total order: the measure (greater first, values that do not exist
/// last), then fewer comparisons, then the rule's order. Of each niche (niche.hpp) only the first
/// `per_niche` count, of those the first `capacity` are kept, so that a strong rule does not fill
/// the archive with itself at slightly other bounds. Of one rule offered twice the earlier find
/// (generation, island) stays. Merging keeps the best of the union: associative and commutative, so
/// archives of any number of ranks give the same result.
class Archive {
 public:
  static constexpr std::size_t per_niche = 4;

  Archive(Measure by, std::size_t capacity);

  /// True if it entered. Costs a comparison when it is too weak to enter.
  /// @param niche  of the record's rule
  bool offer(const RuleRecord& record, std::uint64_t niche);
  void merge(const Archive& other);

  Measure by() const noexcept { return by_; }
  std::size_t capacity() const noexcept { return capacity_; }
  /// Best first.
  std::span<const RuleRecord> rules() const noexcept { return rules_; }

 private:
  Measure by_;
  std::size_t capacity_;
  std::vector<RuleRecord> rules_;
  std::vector<std::uint64_t> niches_;  // [rules_]
};

}  // namespace atl
