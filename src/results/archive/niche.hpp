// Which rules say nearly the same, so that an archive need not be filled by them.
#pragma once

#include <cstdint>
#include <span>

#include "src/data/attribute.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// What a rule speaks of. Operands of a conjunction that take 95% of an attribute's codes or more
/// are passed over in both numbers: they hold on nearly every row.
struct Niche {
  /// Equal for rules whose consequents have the same labels, and bounds on the same numeric
  /// attributes, wherever these lie.
  std::uint64_t consequent = 0;
  /// Likewise for those of one bucket.
  std::uint64_t bucket = 0;
  /// Likewise for the rules as a whole, of bounds whose middle lies in the same eighth of the
  /// codes. Rules of one structure are of one bucket, rules of one bucket of one
  /// consequent.
  std::uint64_t structure = 0;
};

/// @param rule    canonical
/// @param bucket  RuleRecord::bucket
Niche niche(const Rule& rule, std::uint32_t bucket, std::span<const Attribute> attributes) noexcept;
inline Niche niche(const RuleRecord& record, std::span<const Attribute> attributes) noexcept {
  return niche(record.rule, record.bucket, attributes);
}

}  // namespace atl
