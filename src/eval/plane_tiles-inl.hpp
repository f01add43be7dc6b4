// Tiles of rows in vector registers. Included by slice_kernel.cpp and core_rates.cpp once for each
// instruction set; hence the guard that toggles.
#if defined(ATOLL_PLANE_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_PLANE_TILES_INL
#undef ATOLL_PLANE_TILES_INL
#else
#define ATOLL_PLANE_TILES_INL
#endif

#include <hwy/highway.h>

#include "src/eval/plane_program.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lane = hn::ScalableTag<std::uint64_t>;
using Vector = hn::Vec<Lane>;

constexpr std::size_t tile_vectors = tile_words / hn::MaxLanes(Lane());
struct Tile {
  Vector v[tile_vectors];
};

#undef ATOLL_TILE_LOOP
#define ATOLL_TILE_LOOP(k) \
  HWY_UNROLL(16)           \
  for (std::size_t k = 0; k < tile_vectors; ++k)

// Has the instruction set three-input logic?
#undef ATOLL_TERNARY
#if HWY_TARGET <= HWY_AVX3
#define ATOLL_TERNARY 1
#else
#define ATOLL_TERNARY 0
#endif

// Keeps it in a register; as a memory operand it would be loaded again at every use.
HWY_INLINE Vector in_register(Vector vector) {
#if ATOLL_TERNARY
  asm("" : "+v"(vector.raw));
#elif HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  asm("" : "+x"(vector.raw));
#endif
  return vector;
}

// All ones or all zeros.
HWY_INLINE Vector spread(std::uint32_t mask) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(Lane(), std::uint64_t{mask} << 32 | mask);
#else
  const Vector vector = hn::BitCast(Lane(), hn::Set(hn::ScalableTag<std::uint32_t>(), mask));
  return ATOLL_TERNARY ? in_register(vector) : vector;
#endif
}

HWY_INLINE Vector spread_bit(bool bit) {
  static constexpr std::uint32_t masks[] = {0, ~std::uint32_t{0}};
  return spread(masks[bit]);
}

#if ATOLL_TERNARY
// The step of a comparison `code > bound` that takes in one more plane: value | plane where the
// mask is all ones, value & plane where it is zero, which is the majority of the three.
HWY_INLINE Vector compare_step(Vector value, Vector plane, Vector mask) {
  return Vector{_mm512_ternarylogic_epi64(value.raw, plane.raw, mask.raw, 0xE8)};
}
constexpr std::uint32_t planes_per_step = 1;
#else
// The step that takes in one more digit, given where the code's reaches the bound's and where it is
// above.
HWY_INLINE Vector compare_step(Vector value, Vector reached, Vector above) {
  return hn::Or(hn::And(value, reached), above);
}
constexpr std::uint32_t planes_per_step = digit_planes;
#endif

// a & (b ^ c)
HWY_INLINE Vector and_xor(Vector a, Vector b, Vector c) {
#if ATOLL_TERNARY
  return Vector{_mm512_ternarylogic_epi64(a.raw, b.raw, c.raw, 0x60)};
#else
  return hn::And(a, hn::Xor(b, c));
#endif
}

HWY_INLINE Tile load(const std::uint64_t* words) {
  Tile tile;
  ATOLL_TILE_LOOP(k) tile.v[k] = hn::Load(Lane(), words + k * hn::MaxLanes(Lane()));
  return tile;
}

HWY_INLINE void store(const Tile& tile, std::uint64_t* words) {
  ATOLL_TILE_LOOP(k) hn::Store(tile.v[k], Lane(), words + k * hn::MaxLanes(Lane()));
}

HWY_INLINE Tile spread_tile(std::uint32_t mask) {
  Tile tile;
  ATOLL_TILE_LOOP(k) tile.v[k] = spread(mask);
  return tile;
}

HWY_INLINE Tile both(const Tile& a, const Tile& b) {
  Tile tile;
  ATOLL_TILE_LOOP(k) tile.v[k] = hn::And(a.v[k], b.v[k]);
  return tile;
}

HWY_INLINE Tile either(const Tile& a, const Tile& b) {
  Tile tile;
  ATOLL_TILE_LOOP(k) tile.v[k] = hn::Or(a.v[k], b.v[k]);
  return tile;
}

// a & ~b
HWY_INLINE Tile without(const Tile& a, const Tile& b) {
  Tile tile;
  ATOLL_TILE_LOOP(k) tile.v[k] = hn::AndNot(b.v[k], a.v[k]);
  return tile;
}

// a & (b ^ c)
HWY_INLINE Tile and_xor(const Tile& a, const Tile& b, Vector c) {
  Tile tile;
  ATOLL_TILE_LOOP(k) tile.v[k] = and_xor(a.v[k], b.v[k], c);
  return tile;
}

// term &= tile ^ complement
HWY_INLINE void subtract(const Tile& tile, Vector complement, std::uint64_t* term) {
  store(and_xor(load(term), tile, complement), term);
}

// Counts the bits of each lane.
HWY_INLINE Vector count(const Tile& tile) {
#if HWY_TARGET <= HWY_AVX3_DL || HWY_TARGET == HWY_SCALAR
  Vector sum = hn::PopulationCount(tile.v[0]);
  for (std::size_t k = 1; k < tile_vectors; ++k) {
    sum = hn::Add(sum, hn::PopulationCount(tile.v[k]));
  }
  return sum;
#else  // counts of bytes, which hold those of 16 vectors
  const hn::Repartition<std::uint8_t, Lane> bytes;
  auto sum = hn::PopulationCount(hn::BitCast(bytes, tile.v[0]));
  for (std::size_t k = 1; k < tile_vectors; ++k) {
    sum = hn::Add(sum, hn::PopulationCount(hn::BitCast(bytes, tile.v[k])));
  }
  return hn::SumsOf8(sum);
#endif
}

HWY_INLINE std::uint64_t sum(Vector lanes) {
  return hn::GetLane(hn::SumOfLanes(Lane(), lanes));
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
