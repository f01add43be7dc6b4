// Which rules say nearly the same, so that a population or an archive need not be filled by them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/rule.hpp"

namespace atl {

/// Number of the rule's niche. Equal for rules with the same labels that have bounds on the same
/// numeric and ordinal attributes, wherever these lie. Operands of a conjunction that take 95% of
/// an attribute's codes or more are passed over: they hold on nearly every row.
/// @param rule  canonical
std::uint64_t niche(const Rule& rule, std::span<const Attribute> attributes) noexcept;

/// Lets the first few of each niche pass, in the order asked.
class NicheQuota {
 public:
  /// Empties it and makes room for `niches`.
  void reset(std::size_t niches);
  /// Counts one more of this niche; is it within the quota? @pre there is room
  bool admit(std::uint64_t niche, std::uint32_t quota) noexcept;

 private:
  struct Entry {
    std::uint64_t niche;
    std::uint32_t count;  // 0: free
  };
  std::vector<Entry> entries_;  // open addressing, a power of two, at most half full
};

}  // namespace atl
