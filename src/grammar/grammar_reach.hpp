#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl {

/// Tells which symbols of a grammar derive something with which others in it; each with itself.
/// Takes time in proportion to the children of all symbols, and to the symbols' square by 64 at
/// most for each.
class GrammarReach {
 public:
  GrammarReach() = default;
  /// @param children  [symbol] those of its productions
  explicit GrammarReach(const std::vector<std::vector<std::uint32_t>>& children);

  bool operator()(std::size_t from, std::size_t to) const noexcept {
    return (rows_[component_[from]][to / 64] >> (to % 64) & 1) != 0;
  }

 private:
  std::vector<std::uint32_t> component_;          // [symbol] of those that reach each other
  std::vector<std::vector<std::uint64_t>> rows_;  // [component] a bit for each symbol
};

}  // namespace atl
