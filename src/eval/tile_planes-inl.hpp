// The planes of one attribute in a tile of rows, with which many comparisons are evaluated.
// Included by slice_kernel.cpp once for each instruction set; hence the guard that toggles.
#if defined(ATOLL_TILE_PLANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_TILE_PLANES_INL
#undef ATOLL_TILE_PLANES_INL
#else
#define ATOLL_TILE_PLANES_INL
#endif

#include <utility>

#include "src/eval/plane_tiles-inl.hpp"
#include "src/eval/slice_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

// A class TilePlanes<Planes>, where 0 stands for a number that is only known when it runs, has
//   greater<First, Masked>(bound): code > bound, given that the bound's bits below First are ones
//     and, unless Masked, that its bit First is zero.
//   equal(bound): code == bound.
// Both take what the stream has of the bound.

#if ATOLL_TERNARY

// One logic operation a plane, from the low bit up: at a one in the bound the code must have a one
// and be greater below; at a zero, have a one or be greater below. Takes a mask for each plane
// beyond First, of First too if Masked. 8 planes of two vectors are half of the registers.
template <std::size_t Planes>
class TilePlanes {
 public:
  HWY_INLINE TilePlanes(const std::uint64_t* words, std::size_t planes) : words_(words) {
    count_ = Planes == 0 ? planes : Planes;
    HWY_UNROLL(8)
    for (std::size_t bit = 0; bit < Planes; ++bit) {
      const Tile plane = load(words + bit * slice_words);
      ATOLL_TILE_LOOP(k) planes_[bit][k] = in_register(plane.v[k]);
    }
  }

  template <std::size_t First, bool Masked>
  HWY_INLINE Tile greater(const std::uint32_t*& masks) const {
    Tile result;
    ATOLL_TILE_LOOP(k) result.v[k] = plane(First, k);
    if constexpr (Masked) {
      const Vector mask = spread(*masks++);
      ATOLL_TILE_LOOP(k) result.v[k] = hn::And(result.v[k], mask);
    }
    HWY_UNROLL(8)
    for (std::size_t bit = First + 1; bit < (Planes == 0 ? count_ : Planes); ++bit) {
      const Vector mask = spread(*masks++);
      ATOLL_TILE_LOOP(k) result.v[k] = compare_step(result.v[k], plane(bit, k), mask);
    }
    return result;
  }

  HWY_INLINE Tile equal(const std::uint32_t*& masks) const {
    Tile result = spread_tile(~std::uint32_t{0});
    HWY_UNROLL(8)
    for (std::size_t bit = 0; bit < (Planes == 0 ? count_ : Planes); ++bit) {
      const Vector mask = spread(*masks++);
      ATOLL_TILE_LOOP(k) result.v[k] = and_xor(result.v[k], plane(bit, k), mask);
    }
    return result;
  }

 private:
  HWY_INLINE Vector plane(std::size_t bit, std::size_t k) const {
    if constexpr (Planes == 0) {
      return hn::Load(Lane(), words_ + bit * slice_words + k * hn::MaxLanes(Lane()));
    }
    return planes_[bit][k];
  }

  const std::uint64_t* words_;
  std::size_t count_;
  Vector planes_[Planes == 0 ? 1 : Planes][tile_vectors];
};

#else

// Compares a digit of a few planes at a time, without three-input logic: code > bound if the code's
// digit is above the bound's, or not below it and the code is greater below. Where each digit is at
// least 0, 1, ... is kept, in the innermost cache; there are fewer operands to load then than
// planes.
template <std::size_t Planes>
class TilePlanes {
 public:
  HWY_INLINE TilePlanes(const std::uint64_t* words, std::size_t planes) {
    const std::size_t count = Planes == 0 ? planes : Planes;
    digits_ = (count + digit_planes - 1) / digit_planes;
    const Tile none = spread_tile(0);
    const auto plane = [&](std::size_t bit) HWY_ATTR {
      return bit < count ? load(words + bit * slice_words) : none;
    };
    static_assert(digit_planes == 3);
    for (std::size_t digit = 0; digit < digits_; ++digit) {
      const Tile low = plane(digit * digit_planes);
      const Tile middle = plane(digit * digit_planes + 1);
      const Tile high = plane(digit * digit_planes + 2);
      const Tile some = either(low, middle);
      const Tile all = both(low, middle);
      std::uint64_t* const at_least = at_least_[digit];
      store(spread_tile(~std::uint32_t{0}), at_least);
      store(either(high, some), at_least + tile_words);
      store(either(high, middle), at_least + 2 * tile_words);
      store(either(high, all), at_least + 3 * tile_words);
      store(high, at_least + 4 * tile_words);
      store(both(high, some), at_least + 5 * tile_words);
      store(both(high, middle), at_least + 6 * tile_words);
      store(both(high, all), at_least + 7 * tile_words);
      store(none, at_least + 8 * tile_words);
    }
  }

  template <std::size_t First, bool /* Masked: all the same here */>
  HWY_INLINE Tile greater(const std::uint32_t*& bound) const {
    Tile result = load(reached(First / digit_planes, *bound++) + tile_words);
    HWY_UNROLL(4)
    for (std::size_t digit = First / digit_planes + 1;
         digit < (Planes == 0 ? digits_ : most_digits); ++digit) {
      const std::uint64_t* const words = reached(digit, *bound++);
      const Tile at_least = load(words);
      const Tile above = load(words + tile_words);
      ATOLL_TILE_LOOP(k) result.v[k] = compare_step(result.v[k], at_least.v[k], above.v[k]);
    }
    return result;
  }

  HWY_INLINE Tile equal(const std::uint32_t*& bound) const {
    Tile result = spread_tile(~std::uint32_t{0});
    HWY_UNROLL(4)
    for (std::size_t digit = 0; digit < (Planes == 0 ? digits_ : most_digits); ++digit) {
      const std::uint64_t* const words = reached(digit, *bound++);
      result = without(both(result, load(words)), load(words + tile_words));
    }
    return result;
  }

 private:
  // Words that tell where the digit is at least the bound's; next come those where it is above.
  HWY_INLINE const std::uint64_t* reached(std::size_t digit, std::uint32_t bound) const {
    return at_least_[digit] + bound;
  }

  static constexpr std::size_t most_digits =
      ((Planes == 0 ? 32 : Planes) + digit_planes - 1) / digit_planes;

  std::size_t digits_;
  alignas(AlignedWords::alignment)
      std::uint64_t at_least_[most_digits][((1U << digit_planes) + 1) * tile_words];
};

#endif

template <RunKind Kind, std::size_t Planes>
HWY_INLINE Tile evaluate(const TilePlanes<Planes>& planes, const std::uint32_t*& bound) {
  if constexpr (Kind == RunKind::equal) return planes.equal(bound);
  if constexpr (Kind == RunKind::interval) {
    const Tile within = planes.template greater<0, true>(bound);
    return without(within, planes.template greater<0, true>(bound));
  }
  if constexpr (Kind == RunKind::never) return spread_tile(0);
  constexpr auto first = static_cast<std::size_t>(Kind);
  // An attribute of so few planes has no such comparison.
  if constexpr (first <= 3 && (Planes == 0 || first < Planes)) {
    return planes.template greater<first, first == 3>(bound);
  }
  return spread_tile(0);
}

// The data that runs of comparisons read, and the places where they go on.
struct RunState {
  const std::uint64_t* planes;  // of the run's attribute, at the tile
  std::size_t plane_count;
  bool has_present;
  const std::uint64_t* rows;  // of the tile, or null if all exist
  std::uint64_t* terms;
  const std::uint32_t* stream;
  std::uint64_t* supports;  // [comparisons][support_lanes], or null
};

template <RunKind Kind, std::size_t Planes>
HWY_INLINE void run_kind(const TilePlanes<Planes>& planes, const std::uint64_t* present,
                         RunState& state, std::uint32_t comparisons) {
  const std::uint64_t* const rows = state.rows;
  std::uint64_t* const terms = state.terms;
  std::uint64_t* supports = state.supports;
  const std::uint32_t* stream = state.stream;
  for (; comparisons != 0; --comparisons) {
    Tile value = evaluate<Kind, Planes>(planes, stream);
    if (present != nullptr) value = and_xor(load(present), value, spread(*stream++));
    if (supports != nullptr) {
      const Vector ones = count(rows == nullptr ? value : both(value, load(rows)));
      hn::Store(hn::Add(hn::Load(Lane(), supports), ones), Lane(), supports);
      supports += support_lanes;
    }
    for (bool last = false; !last; stream += 2) {
      last = (stream[0] & last_use) != 0;
      subtract(value, spread(stream[1]), terms + (stream[0] & ~last_use));
    }
  }
  state.stream = stream;
  state.supports = supports;
}

template <std::size_t Planes, std::size_t... Kinds>
HWY_INLINE void run_kinds_of(const Run& run, RunState& state, std::index_sequence<Kinds...>) {
  const TilePlanes<Planes> planes(state.planes, state.plane_count);
  const std::uint64_t* const present =
      state.has_present ? state.planes + state.plane_count * slice_words : nullptr;
  (run_kind<static_cast<RunKind>(Kinds), Planes>(planes, present, state, run.comparisons[Kinds]),
   ...);
}

// Subtracts the run's comparisons from their terms.
template <std::size_t Planes>
void run_comparisons(const Run& run, RunState& state) {
  run_kinds_of<Planes>(run, state, std::make_index_sequence<run_kinds>());
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
