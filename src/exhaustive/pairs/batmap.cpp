#include "src/exhaustive/pairs/batmap.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <utility>

namespace atl {
namespace {

/// Odd numbers, two of each table, with bits in no order (the golden ratio's, and primes of
/// xxHash).
constexpr std::uint64_t multipliers[BatMapLayout::tables][2] = {
    {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F},
    {0x9FB21C651E98DF25, 0xD6E8FEB86659FD93},
    {0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53}};

/// The odd number whose product with this one is 1 modulo 2^64 (Newton's iteration: each step
/// doubles the bits that are right).
constexpr std::uint64_t inverse(std::uint64_t odd) noexcept {
  std::uint64_t x = odd;
  for (int step = 0; step < 5; ++step) x *= 2 - odd * x;
  return x;
}

constexpr unsigned next_table(unsigned table) noexcept {
  return table == BatMapLayout::tables - 1 ? 0 : table + 1;
}

/// A map that is being filled. Indicators are set at the end.
class Filling {
 public:
  Filling(const BatMapLayout& layout, std::uint64_t width, std::span<std::uint8_t> entries,
          unsigned moves)
      : layout_(layout), width_(width), entries_(entries), moves_(moves) {}

  /// Both entries of an element. @param aside  gets those that have no entry any more
  void insert(std::uint32_t element, std::vector<std::uint32_t>& aside) {
    for (int entry = 0; entry < 2; ++entry) {
      const std::optional<std::uint32_t> left = insert_once(element);
      if (!left) continue;
      remove(*left);
      aside.push_back(*left);
      if (*left == element) return;
    }
  }

  void set_indicators() noexcept {
    for (std::uint64_t place = 0; place < entries_.size(); ++place) {
      const std::uint8_t code = entries_[place] & batmap_code;
      if (code == 0) continue;
      const unsigned table = table_of(place);
      const unsigned before = table == 0 ? BatMapLayout::tables - 1 : table - 1;
      const std::uint64_t element = layout_.element(table, layout_.permuted_at(place, code));
      const std::uint64_t there = layout_.permuted(before, element);
      const std::uint8_t other = entries_[layout_.place(before, there, width_)] & batmap_code;
      if (other == layout_.code(there)) entries_[place] |= batmap_indicator;
    }
  }

 private:
  unsigned table_of(std::uint64_t place) const noexcept {
    return static_cast<unsigned>(place / layout_.unit() % BatMapLayout::tables);
  }

  /// @return the element that is left without this entry, if one is
  std::optional<std::uint32_t> insert_once(std::uint32_t element) {
    unsigned table = 0;
    std::uint64_t moving = element;
    for (unsigned move = 0; move < moves_; ++move, table = next_table(table)) {
      const std::uint64_t permuted = layout_.permuted(table, moving);
      const std::uint64_t place = layout_.place(table, permuted, width_);
      const std::uint8_t out = std::exchange(entries_[place], layout_.code(permuted));
      if (out == 0) return std::nullopt;
      moving = layout_.element(table, layout_.permuted_at(place, out));
    }
    return static_cast<std::uint32_t>(moving);
  }

  void remove(std::uint32_t element) noexcept {
    for (unsigned table = 0; table < BatMapLayout::tables; ++table) {
      const std::uint64_t permuted = layout_.permuted(table, element);
      std::uint8_t& entry = entries_[layout_.place(table, permuted, width_)];
      if (entry == layout_.code(permuted)) entry = 0;
    }
  }

  const BatMapLayout& layout_;
  std::uint64_t width_;
  std::span<std::uint8_t> entries_;
  unsigned moves_;
};

}  // namespace

BatMapLayout::BatMapLayout(std::uint64_t universe) noexcept : shift_(0) {
  assert(universe <= std::uint64_t{1} << 32);
  while (codes << shift_ < universe) ++shift_;
  unit_ = std::max<std::uint64_t>(std::uint64_t{1} << shift_, 64);
  const unsigned bits = shift_ + 7;
  mask_ = (std::uint64_t{1} << bits) - 1;
  half_ = (bits + 1) / 2;
}

std::uint64_t BatMapLayout::width_for(std::uint64_t elements) const noexcept {
  return std::max(unit_, 2 * std::bit_ceil(std::max<std::uint64_t>(elements, 1)));
}

std::uint64_t BatMapLayout::mixed(unsigned table, std::uint64_t value) const noexcept {
  for (const std::uint64_t multiplier : multipliers[table]) {
    value ^= value >> half_;
    value = value * multiplier & mask_;
  }
  return value ^ value >> half_;
}

std::uint64_t BatMapLayout::unmixed(unsigned table, std::uint64_t value) const noexcept {
  // Half of the bits or more are shifted out, so that the same step takes each step back.
  value ^= value >> half_;
  for (const std::uint64_t multiplier : {multipliers[table][1], multipliers[table][0]}) {
    value = value * inverse(multiplier) & mask_;
    value ^= value >> half_;
  }
  return value;
}

/// Numbers without a code are passed over, one in 128: a permutation of the others is left.
std::uint64_t BatMapLayout::permuted(unsigned table, std::uint64_t element) const noexcept {
  std::uint64_t value = mixed(table, element);
  while (value >> shift_ == codes) value = mixed(table, value);
  return value;
}

std::uint64_t BatMapLayout::element(unsigned table, std::uint64_t permuted) const noexcept {
  std::uint64_t value = unmixed(table, permuted);
  while (value >> shift_ == codes) value = unmixed(table, value);
  return value;
}

std::vector<std::uint32_t> fill_batmap(const BatMapLayout& layout,
                                       std::span<const std::uint32_t> elements, std::uint64_t width,
                                       std::span<std::uint8_t> entries, unsigned moves) {
  assert(std::has_single_bit(width) && width >= layout.unit() && entries.size() == 3 * width);
  Filling filling(layout, width, entries, moves);
  std::vector<std::uint32_t> aside;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (k > 0 && elements[k] == elements[k - 1]) continue;
    filling.insert(elements[k], aside);
  }
  filling.set_indicators();
  std::ranges::sort(aside);
  return aside;
}

bool batmap_has(const BatMapLayout& layout, std::span<const std::uint8_t> entries,
                std::uint32_t element) noexcept {
  for (unsigned table = 0; table < BatMapLayout::tables; ++table) {
    const std::uint64_t permuted = layout.permuted(table, element);
    const std::uint64_t place = layout.place(table, permuted, entries.size() / 3);
    if ((entries[place] & batmap_code) == layout.code(permuted)) return true;
  }
  return false;
}

std::uint64_t count_common_reference(std::span<const std::uint8_t> wide,
                                     std::span<const std::uint8_t> small) noexcept {
  std::uint64_t common = 0;
  for (std::size_t place = 0; place < wide.size(); ++place) {
    const std::uint8_t x = wide[place], y = small[place % small.size()];
    const bool equal = (x & batmap_code) == (y & batmap_code);
    common += equal && ((x | y) & batmap_indicator) != 0 ? 1 : 0;
  }
  return common;
}

bool has(const BatMapLayout& layout, const BatMapView& set, std::uint32_t element) noexcept {
  return batmap_has(layout, set.entries, element) || std::ranges::binary_search(set.aside, element);
}

std::uint64_t count_common_aside(const BatMapLayout& layout, const BatMapView& a,
                                 const BatMapView& b) noexcept {
  std::uint64_t common = 0;
  for (const std::uint32_t element : a.aside) common += has(layout, b, element) ? 1 : 0;
  for (const std::uint32_t element : b.aside) {
    common += batmap_has(layout, a.entries, element) ? 1 : 0;
  }
  return common;
}

std::uint64_t count_common(const BatMapLayout& layout, const BatMapView& a,
                           const BatMapView& b) noexcept {
  const bool a_is_wide = a.entries.size() >= b.entries.size();
  const std::uint64_t in_maps =
      a_is_wide ? count_common(a.entries, b.entries) : count_common(b.entries, a.entries);
  return in_maps + count_common_aside(layout, a, b);
}

}  // namespace atl
