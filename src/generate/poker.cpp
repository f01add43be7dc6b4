#include "src/generate/poker.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/random.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {

std::uint32_t poker_class(const Hand& hand) noexcept {
  std::array<std::uint32_t, 13> of_rank{};
  std::uint32_t ranks = 0;  // bit r: rank r is in the hand
  bool flush = true;
  for (const Card& card : hand) {
    ++of_rank[card.rank];
    ranks |= 1U << card.rank;
    flush = flush && card.suit == hand[0].suit;
  }
  const auto pairs = std::count(of_rank.begin(), of_rank.end(), 2U);
  const auto most = *std::max_element(of_rank.begin(), of_rank.end());
  if (most == 4) return 7;
  if (most == 3) return pairs == 1 ? 6 : 3;
  if (pairs > 0) return pairs == 2 ? 2 : 1;

  constexpr std::uint32_t royal = 0b1'1110'0000'0001;  // 10, jack, queen, king, ace
  // Five neighbouring bits: the hand's lowest rank and the four above it.
  const bool straight = ranks == royal || ranks == 0b11111U * (ranks & (~ranks + 1));
  if (straight && flush) return ranks == royal ? 9 : 8;
  if (flush) return 5;
  return straight ? 4 : 0;
}

PokerSource::PokerSource(std::uint64_t seed) : seed_(seed) {
  const auto add = [this](const std::string& name, AttributeKind kind, int first, int last) {
    Attribute attribute;
    attribute.name = name;
    attribute.kind = kind;
    for (int value = first; value <= last; ++value) {
      if (kind == AttributeKind::numeric) {
        attribute.low.push_back(value);
      } else {
        attribute.labels.push_back(std::to_string(value));
      }
    }
    attribute.high = attribute.low;
    attributes_.push_back(std::move(attribute));
  };
  for (const char* card : {"1", "2", "3", "4", "5"}) {
    add(std::string("S") + card, AttributeKind::nominal, 1, 4);
    add(std::string("C") + card, AttributeKind::numeric, 1, 13);
  }
  add("CLASS", AttributeKind::nominal, 0, 9);
  attributes_.back().role = AttributeRole::target;
}

void PokerSource::make_row(std::uint64_t row, std::span<std::uint32_t> codes) const {
  RandomStream stream({.seed = seed_,
                       .island = static_cast<std::uint32_t>(GenerateStream::poker),
                       .generation = static_cast<std::uint32_t>(row >> 32),
                       .slot = static_cast<std::uint32_t>(row),
                       .purpose = Purpose::generate});
  std::array<std::uint32_t, 5> drawn{};  // ascending
  Hand hand;
  for (std::size_t i = 0; i < 5; ++i) {
    // The n-th of the cards that are left: step over those drawn already, in ascending order.
    auto card = static_cast<std::uint32_t>(stream.below(52 - i));
    std::size_t position = 0;
    while (position < i && drawn[position] <= card) {
      ++card;
      ++position;
    }
    std::copy_backward(drawn.data() + position, drawn.data() + i, drawn.data() + i + 1);
    drawn[position] = card;
    hand[i] = {card / 13, card % 13};
    codes[2 * i] = hand[i].suit;
    codes[2 * i + 1] = hand[i].rank;
  }
  codes[10] = poker_class(hand);
}

}  // namespace atl
