// The best rules of a run.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/measures/measures.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// The niche of a rule: what it speaks of. Operands of a conjunction that take 95% of an
/// attribute's codes or more are passed over in both numbers: they hold on nearly every row.
struct Niche {
  /// Equal for rules whose consequents have the same labels, and bounds on the same numeric
  /// attributes, wherever these lie.
  std::uint64_t consequent = 0;
  /// Equal for rules of one bucket.
  std::uint64_t bucket = 0;
  /// Equal for rules alike as a whole, of bounds whose middle lies in the same eighth of the codes.
  /// Rules of one structure are of one bucket, rules of one bucket of one consequent.
  std::uint64_t structure = 0;
};

/// @param rule    canonical
/// @param bucket  RuleRecord::bucket
Niche niche(const Rule& rule, std::uint32_t bucket, std::span<const Attribute> attributes) noexcept;
inline Niche niche(const RuleRecord& record, std::span<const Attribute> attributes) noexcept {
  return niche(record.rule, record.bucket, attributes);
}

/// Keeps the best rules offered, in one total order: greater measure first (values that do not
/// exist last), then fewer comparisons, then the rule's order. Three quotas keep the rules varied:
/// - at most `per_structure` rules of a structure, which differ only in their bounds;
/// - at most `per_bucket` rules of a bucket, whose antecedents cover nearly the same rows;
/// - at most `capacity` rules of a consequent.
/// A structure lies in one bucket and a bucket in one consequent (Niche). If a rule is offered
/// twice, its earlier find (generation, island) stays. merge() is associative and commutative and
/// gives what one archive would hold that was offered everything. Not thread-safe.
class Archive {
 public:
  static constexpr std::size_t per_structure = 4;

  /// @param capacity  rules kept for each consequent
  Archive(Measure by, std::size_t capacity,
          std::size_t per_bucket = std::numeric_limits<std::size_t>::max());

  /// Returns true if the rule is new here and was kept. A rule that is too weak costs one look-up
  /// and one comparison.
  /// @param niche  of the record
  bool offer(const RuleRecord& record, const Niche& niche);
  /// Values that the weakest have, where the quota of a niche's consequent, bucket or structure is
  /// used up; a rule of less is refused.
  using Bars = std::array<std::optional<double>, 3>;
  Bars bars(const Niche& niche) const;
  void merge(const Archive& other);

  Measure by() const noexcept { return by_; }
  std::size_t capacity() const noexcept { return capacity_; }
  std::size_t per_bucket() const noexcept { return per_bucket_; }
  std::size_t size() const noexcept { return records_.size(); }
  /// Greatest value of a measure among the rules, NaN if none exists.
  double best(Measure measure) const noexcept;
  /// Visits each rule with its niche and its value, by consequent, then best first.
  void for_each(
      const std::function<void(const Niche&, double value, const RuleRecord&)>& visit) const;
  /// All rules, best first.
  std::vector<RuleRecord> rules() const;

 private:
  // Entries are small because inserting one moves those behind it.
  struct Entry {
    double value;             // the rule's value of by_
    std::uint64_t bucket;     // Niche::bucket
    std::uint64_t structure;  // Niche::structure
    std::uint32_t record;     // index in records_
  };

  struct Tally;

  Measure by_;
  std::size_t capacity_;
  std::size_t per_bucket_;
  std::map<std::uint64_t, std::vector<Entry>> consequents_;  // each best first
  std::deque<RuleRecord> records_;
};

/// A rule that an archive refuses once it refuses for good: what is better stays, or gives way to
/// what is better still. So a bar never falls, one that is out of date only lets more pass, and the
/// archive ends the same whether weak rules were held back by bars or offered. Any thread may ask
/// or raise at any time. The table forgets: a bar may be displaced by that of another niche.
class ArchiveBars {
 public:
  ArchiveBars() : slots_(std::size_t{1} << log2_slots) {}

  /// Is a rule of this niche too weak for the archive? False where that depends on more than its
  /// value.
  /// @param value  of the archive's measure
  bool refuse(double value, const Niche& niche) const noexcept;
  /// Notes where the archive stands. @param bars  Archive::bars(niche)
  void raise(const Niche& niche, const Archive::Bars& bars) noexcept;

 private:
  static constexpr unsigned log2_slots = 15;  // half a MiB

  /// A key and its value, the key combined with the value's bits: a value that belongs to another
  /// key, read or written half, is recognised and passed over (Hyatt and Mann 2002, "A lock-less
  /// transposition table implementation for parallel search chess engines").
  struct Slot {
    std::atomic<std::uint64_t> check{0};
    std::atomic<std::uint64_t> value{0};
  };

  std::vector<Slot> slots_;
};

}  // namespace atl
