// Poker hands as in the data set of that name (Cattral and Oppacher 2002, UCI).
#pragma once

#include <array>
#include <cstdint>

#include "src/generate/block_stream.hpp"

namespace atl {

struct Card {
  std::uint32_t suit = 0;  ///< 0 to 3
  std::uint32_t rank = 0;  ///< 0 to 12: ace, 2, ..., 10, jack, queen, king
};
using Hand = std::array<Card, 5>;

/// The class of a hand: nothing 0, one pair 1, two pairs 2, three of a kind 3, straight 4 (ace low
/// or high), flush 5, full house 6, four of a kind 7, straight flush 8, royal flush 9.
/// @pre five different cards
std::uint32_t poker_class(const Hand& hand) noexcept;

/// S1, C1, ..., S5, C5, CLASS: suits 1 to 4 (nominal) and ranks 1 to 13 (numeric) of five cards
/// drawn without replacement, and the class of the hand (nominal, the target).
class PokerSource final : public RowSource {
 public:
  explicit PokerSource(std::uint64_t seed);
  void make_row(std::uint64_t row, std::span<std::uint32_t> codes) const override;

 private:
  std::uint64_t seed_;
};

}  // namespace atl
