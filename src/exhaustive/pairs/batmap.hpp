// Sets as BatMaps (Amossen and Pagh 2011, "A new data layout for set intersection on GPUs"): hash
// tables that are compared place by place, whatever is in them.
//
// There are three tables, each with a permutation of the universe that says where an element
// belongs in it. An element is in two of its three places, so that two sets that have it have it in
// a place in common, or in two. An entry is a byte. Its low seven bits are a code: the highest bits
// of the permuted element and 1 more, as 0 is of empty places. The lower bits follow from the
// place. Its top bit, the indicator, is set where the element's other entry is in the table before
// (the last one is before the first), so that an element that is in two places in common has it in
// one of them. An element is counted once: where codes are equal, and at least one indicator is
// set. Of two words of four entries, x and y, that is
//
//   ~(((x ^ y) & 0x7f7f7f7f) + 0x7f7f7f7f) & (x | y) & 0x80808080
//
// a bit for each entry that counts. No carry leaves a byte, and an empty place equals none but an
// empty one, where no indicator is set. (The paper subtracts, and has no code of its own for empty
// places, so that a set's element of the same seven bits counts against them.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace atl {

/// Where the elements of a universe belong. All maps that are compared have the same layout.
///
/// A map of width r has 3 r entries, in blocks of 3 unit() entries: unit() of the first table, of
/// the second, of the third. So an entry of a wide map stands against that of a small one whose
/// number is the same modulo the small one's entries.
class BatMapLayout {
 public:
  static constexpr unsigned tables = 3;
  static constexpr std::uint64_t codes = 127;

  /// @param universe  elements are below it; at most 2^32
  explicit BatMapLayout(std::uint64_t universe) noexcept;

  /// The least width, a power of 2, at least 64: the bits that a code does not tell.
  std::uint64_t unit() const noexcept { return unit_; }
  /// The width for so many elements: a power of 2, at least twice as many.
  std::uint64_t width_for(std::uint64_t elements) const noexcept;

  /// The element's number in the order of a table: below codes << shift().
  std::uint64_t permuted(unsigned table, std::uint64_t element) const noexcept;
  std::uint64_t element(unsigned table, std::uint64_t permuted) const noexcept;
  std::uint8_t code(std::uint64_t permuted) const noexcept {
    return static_cast<std::uint8_t>(1 + (permuted >> shift_));
  }
  /// The entry of a map of this width where a permuted element of the table belongs.
  std::uint64_t place(unsigned table, std::uint64_t permuted, std::uint64_t width) const noexcept {
    const std::uint64_t at = permuted & (width - 1);
    return tables * (at & ~(unit_ - 1)) + table * unit_ + (at & (unit_ - 1));
  }
  /// The permuted element that a code in a place of a table is of.
  std::uint64_t permuted_at(std::uint64_t place, std::uint8_t code) const noexcept {
    const std::uint64_t low = place & (unit_ - 1);
    return (std::uint64_t{code} - 1) << shift_ | (low & ((std::uint64_t{1} << shift_) - 1));
  }
  unsigned shift() const noexcept { return shift_; }

 private:
  std::uint64_t mixed(unsigned table, std::uint64_t value) const noexcept;
  std::uint64_t unmixed(unsigned table, std::uint64_t value) const noexcept;

  unsigned shift_;  // the code's lowest bit in a permuted element
  std::uint64_t unit_;
  std::uint64_t mask_;  // of shift_ + 7 bits
  unsigned half_;       // of these bits, rounded up
};

/// Moves of elements that an insertion makes before it gives up.
inline constexpr unsigned batmap_moves = 192;

inline constexpr std::uint8_t batmap_indicator = 0x80, batmap_code = 0x7f;

/// Puts elements into a map by cuckoo insertion: an element that is put into a place that is not
/// empty moves the other on to its place in the next table.
/// @param elements  ascending; one that is repeated counts once
/// @param entries   [3 width] 0 at first
/// @param moves     at most, of one insertion
/// @return elements that found no two places, ascending. They are not in the map.
std::vector<std::uint32_t> fill_batmap(const BatMapLayout& layout,
                                       std::span<const std::uint32_t> elements, std::uint64_t width,
                                       std::span<std::uint8_t> entries,
                                       unsigned moves = batmap_moves);

/// Is the element in the map?
bool batmap_has(const BatMapLayout& layout, std::span<const std::uint8_t> entries,
                std::uint32_t element) noexcept;

/// Elements that two maps of a layout have in common, those aside apart.
/// @param wide   as many entries as `small` has, or a power of 2 times as many; any alignment
std::uint64_t count_common(std::span<const std::uint8_t> wide,
                           std::span<const std::uint8_t> small) noexcept;
/// Likewise, entry by entry: the executable specification.
std::uint64_t count_common_reference(std::span<const std::uint8_t> wide,
                                     std::span<const std::uint8_t> small) noexcept;

/// The bits of the formula above: entries of two words that count.
constexpr std::uint32_t common_entries(std::uint32_t x, std::uint32_t y) noexcept {
  return ~(((x ^ y) & 0x7f7f7f7fU) + 0x7f7f7f7fU) & (x | y) & 0x80808080U;
}

/// The map of a set, with the elements aside.
struct BatMapView {
  std::span<const std::uint8_t> entries;
  std::span<const std::uint32_t> aside;  ///< ascending
};

/// Is the element in the set?
bool has(const BatMapLayout& layout, const BatMapView& set, std::uint32_t element) noexcept;
/// Elements that two sets have in common of which one at least has them aside.
std::uint64_t count_common_aside(const BatMapLayout& layout, const BatMapView& a,
                                 const BatMapView& b) noexcept;

/// Elements that two sets have in common.
std::uint64_t count_common(const BatMapLayout& layout, const BatMapView& a,
                           const BatMapView& b) noexcept;

}  // namespace atl
