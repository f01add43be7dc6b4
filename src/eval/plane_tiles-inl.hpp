// Comparisons of bit planes in vector registers. Included by slice_kernel.cpp once for each
// instruction set; hence the guard that toggles.
#if defined(ATOLL_PLANE_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_PLANE_TILES_INL
#undef ATOLL_PLANE_TILES_INL
#else
#define ATOLL_PLANE_TILES_INL
#endif

#include <type_traits>

#include <hwy/highway.h>

#include "src/eval/slice_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::ScalableTag<std::uint64_t>;
using Vector = hn::Vec<Lane>;

// A tile is K consecutive vectors of words, kept in registers.
template <std::size_t K>
struct Tile {
  Vector v[K];
};
constexpr std::size_t tile_vectors = 4;

// All ones or all zeros, by a bit.
HWY_INLINE Vector spread(std::uint32_t bit) {
  alignas(16) static constexpr std::uint64_t words[2] = {0, ~std::uint64_t{0}};
  Vector spread = hn::Set(Lane(), words[bit & 1]);
#if HWY_TARGET <= HWY_AVX3
  // Keeps it in a register; as a memory operand it would be loaded again for every vector.
  asm("" : "+v"(spread.raw));
#endif
  return spread;
}

// a & (b ^ c)
HWY_INLINE Vector and_xor(Vector a, Vector b, Vector c) {
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, 0x60)};
#else
  return hn::And(a, hn::Xor(b, c));
#endif
}

// a | (b ^ c)
HWY_INLINE Vector or_xor(Vector a, Vector b, Vector c) {
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, 0xF6)};
#else
  return hn::Or(a, hn::Xor(b, c));
#endif
}

// (a & b) | (c & (a | b)): a | b where c is ones, a & b where it is zeros.
HWY_INLINE Vector majority(Vector a, Vector b, Vector c) {
#if HWY_TARGET <= HWY_AVX3
  return Vector{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, 0xE8)};
#else
  return hn::Xor(a, hn::And(hn::Xor(a, b), hn::Xor(a, c)));
#endif
}

template <std::size_t K>
HWY_INLINE Tile<K> load(const std::uint64_t* words) {
  const Lane lane;
  Tile<K> tile;
  for (std::size_t k = 0; k < K; ++k) tile.v[k] = hn::Load(lane, words + k * hn::Lanes(lane));
  return tile;
}

template <std::size_t K>
HWY_INLINE void store(const Tile<K>& tile, std::uint64_t* words) {
  const Lane lane;
  for (std::size_t k = 0; k < K; ++k) hn::Store(tile.v[k], lane, words + k * hn::Lanes(lane));
}

// code > bound. From the low bit up: at a one in the bound the code must have a one and be greater
// below; at a zero, have a one or be greater below. One logic operation a plane. The bound's
// trailing ones could be skipped, but to guess their number wrong costs as much.
template <std::size_t K>
HWY_INLINE Tile<K> greater(const std::uint64_t* plane, std::uint32_t planes, std::uint32_t bound) {
  Tile<K> result = load<K>(plane);
  const Vector lowest = spread(~bound);
  for (std::size_t k = 0; k < K; ++k) result.v[k] = hn::And(result.v[k], lowest);
  for (std::uint32_t bit = 1; bit < planes; ++bit) {
    plane += slice_words;
    const Vector zero_bit = spread(~bound >> bit);
    const Tile<K> word = load<K>(plane);
    for (std::size_t k = 0; k < K; ++k) {
      result.v[k] = majority(result.v[k], word.v[k], zero_bit);
    }
  }
  return result;
}

template <std::size_t K>
HWY_INLINE Tile<K> equal(const std::uint64_t* plane, std::uint32_t planes, std::uint32_t code) {
  Tile<K> result;
  for (std::size_t k = 0; k < K; ++k) result.v[k] = spread(1);
  for (std::uint32_t bit = 0; bit < planes; ++bit) {
    const Vector zero_bit = spread(~code >> bit);
    const Tile<K> word = load<K>(plane + bit * slice_words);
    for (std::size_t k = 0; k < K; ++k) {
      result.v[k] = and_xor(result.v[k], word.v[k], zero_bit);
    }
  }
  return result;
}

/// @param word  first word of the tile in the slice
template <std::size_t K>
HWY_INLINE Tile<K> evaluate(const BoundComparison& comparison, const Slice& slice,
                            std::size_t word) {
  const std::uint64_t* const plane = slice.first_plane[comparison.attribute] + word;
  const std::uint32_t planes = slice.plane_count[comparison.attribute];
  Tile<K> result;
  switch (comparison.kind) {
    case BoundKind::never:
      for (std::size_t k = 0; k < K; ++k) result.v[k] = hn::Zero(Lane());
      break;
    case BoundKind::equal:
      result = equal<K>(plane, planes, comparison.low);
      break;
    case BoundKind::greater:
      result = greater<K>(plane, planes, comparison.low);
      break;
    case BoundKind::interval: {
      result = greater<K>(plane, planes, comparison.low);
      const Tile<K> above = greater<K>(plane, planes, comparison.high);
      for (std::size_t k = 0; k < K; ++k) result.v[k] = hn::AndNot(above.v[k], result.v[k]);
      break;
    }
  }
  if (comparison.limit_to_present) {
    const Tile<K> present = load<K>(plane + planes * slice_words);
    const Vector flip = spread(comparison.complement);
    for (std::size_t k = 0; k < K; ++k) {
      result.v[k] = and_xor(present.v[k], result.v[k], flip);
    }
  }
  return result;
}

template <std::size_t K>
HWY_INLINE Tile<K> both(const Tile<K>& a, const Tile<K>& b) {
  Tile<K> result;
  for (std::size_t k = 0; k < K; ++k) result.v[k] = hn::And(a.v[k], b.v[k]);
  return result;
}

template <std::size_t K>
HWY_INLINE Vector count(const Tile<K>& tile) {
  Vector sum = hn::PopulationCount(tile.v[0]);
  for (std::size_t k = 1; k < K; ++k) sum = hn::Add(sum, hn::PopulationCount(tile.v[k]));
  return sum;
}

// Calls tile(integral constant K, first word) for all tiles of a slice.
template <typename Function>
HWY_INLINE void for_tiles(std::size_t words, const Function& tile) {
  const std::size_t vector = hn::Lanes(Lane());
  std::size_t word = 0;
  for (; word + tile_vectors * vector <= words; word += tile_vectors * vector) {
    tile(std::integral_constant<std::size_t, tile_vectors>(), word);
  }
  for (; word < words; word += vector) tile(std::integral_constant<std::size_t, 1>(), word);
}

HWY_INLINE std::uint64_t sum(Vector lanes) {
  return hn::GetLane(hn::SumOfLanes(Lane(), lanes));
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
