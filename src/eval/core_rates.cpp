// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/eval/core_rates.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "src/data/aligned_words.hpp"

#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/eval/core_rates.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/eval/plane_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

constexpr std::size_t vector_words = hn::MaxLanes(Lane());
constexpr std::size_t chains = 8;          // enough to hide the latency of any operation
constexpr std::size_t buffer_words = 512;  // 4 KiB
constexpr int passes = 200;

// Steps on `chains` independent values, with operands that stay in registers.
HWY_NOINLINE double run_logic(const std::uint64_t* words, std::uint64_t* sink) {
  Vector value[chains];
  HWY_UNROLL(8)
  for (std::size_t c = 0; c < chains; ++c) {
    value[c] = hn::Load(Lane(), words + c * vector_words);
  }
  Vector plane = hn::Load(Lane(), words + chains * vector_words);
  const Vector mask = hn::Load(Lane(), words + (chains + 1) * vector_words);
  constexpr int rounds = passes * 20;
  for (int round = 0; round < rounds; ++round) {
    plane = in_register(plane);
    HWY_UNROLL(8)
    for (std::size_t c = 0; c < chains; ++c) {
      value[c] = in_register(compare_step(value[c], plane, mask));
    }
  }
  HWY_UNROLL(8)
  for (std::size_t c = 0; c < chains; ++c) {
    hn::Store(value[c], Lane(), sink + c * vector_words);
  }
  return static_cast<double>(rounds) * chains * vector_words;
}

HWY_NOINLINE double run_loads(const std::uint64_t* words, std::uint64_t* sink) {
  Vector any[chains];
  HWY_UNROLL(8)
  for (std::size_t c = 0; c < chains; ++c) any[c] = hn::Zero(Lane());
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t w = 0; w < buffer_words; w += chains * vector_words) {
      HWY_UNROLL(8)
      for (std::size_t c = 0; c < chains; ++c) {
        any[c] = in_register(hn::Or(any[c], hn::Load(Lane(), words + w + c * vector_words)));
      }
    }
  }
  HWY_UNROLL(8)
  for (std::size_t c = 0; c < chains; ++c) hn::Store(any[c], Lane(), sink + c * vector_words);
  return static_cast<double>(passes) * buffer_words;
}

HWY_NOINLINE double run_popcounts(const std::uint64_t* words, std::uint64_t* sink) {
  Vector total = hn::Zero(Lane());
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t w = 0; w < buffer_words; w += tile_words) {
      total = in_register(hn::Add(total, count(load(words + w))));
    }
  }
  hn::Store(total, Lane(), sink);
  return static_cast<double>(passes) * buffer_words;
}

template <typename Run>
double best_rate(const Run& run) {
  using Clock = std::chrono::steady_clock;
  AlignedWords words(buffer_words);
  AlignedWords sink(chains * vector_words);
  for (std::size_t w = 0; w < buffer_words; ++w) words.data()[w] = w * 0x9E3779B97F4A7C15U;
  double best = 0;
  const auto start = Clock::now();
  do {
    const auto before = Clock::now();
    const double done = run(words.data(), sink.data());
    const std::chrono::duration<double> seconds = Clock::now() - before;
    best = std::max(best, done / seconds.count());
  } while (Clock::now() - start < std::chrono::milliseconds(7));
  return best;
}

CoreRates measure_here() {
  return {hwy::TargetName(HWY_TARGET), best_rate(run_logic), planes_per_step, best_rate(run_loads),
          best_rate(run_popcounts)};
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(measure_here);
}

CoreRates measure_core_rates() {
  return HWY_DYNAMIC_DISPATCH(measure_here)();
}

}  // namespace atl
#endif
