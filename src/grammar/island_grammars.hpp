#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <span>

#include "src/grammar/grammar.hpp"

namespace atl {

/// The grammar of each island. The grammars must outlive it.
class IslandGrammars {
 public:
  /// The same for all.
  IslandGrammars(const BoundGrammar& grammar) : from_({{0, &grammar}}) {}
  /// Takes each grammar by the first of the islands that it is for, up to the next, as in
  /// Experiment::by_island().
  explicit IslandGrammars(const std::map<std::uint32_t, BoundGrammar>& from) {
    for (const auto& [island, grammar] : from) from_.emplace(island, &grammar);
  }

  const BoundGrammar& of(std::uint32_t island) const noexcept {
    return *std::prev(from_.upper_bound(island))->second;
  }
  std::span<const Attribute> attributes() const noexcept { return of(0).attributes(); }
  const std::map<std::uint32_t, const BoundGrammar*>& by_first_island() const noexcept {
    return from_;
  }

 private:
  std::map<std::uint32_t, const BoundGrammar*> from_;
};

}  // namespace atl
