// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/eval/slice_kernel.hpp"

// Without the first there is no vpopcntq; arrays of vectors need a size known to the compiler.
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/eval/slice_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/eval/plane_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

template <std::size_t K>
HWY_INLINE Tile<K> operand(const Step& step, const Batch& batch, const Slice& slice,
                           std::size_t word) {
  if (step.slotted) return load<K>(slice.slots.data() + step.operand * slice_words + word);
  return evaluate<K>(batch.comparisons()[step.operand], slice, word);
}

/// @param word  first word of the tile in the slice
template <std::size_t K>
HWY_INLINE Tile<K> run(std::uint32_t step, std::uint32_t end, const Batch& batch, Slice& slice,
                       std::size_t word) {
  const Step* const steps = batch.steps().data();
  std::uint64_t* top = slice.stack.data() + word;
  Tile<K> value = operand<K>(steps[step], batch, slice, word);
  const Vector flip_first = spread(steps[step].complement);
  for (std::size_t k = 0; k < K; ++k) value.v[k] = hn::Xor(value.v[k], flip_first);
  for (++step; step < end; ++step) {
    const Vector flip = spread(steps[step].complement);
    switch (steps[step].kind) {
      case StepKind::conjunction: {
        const Tile<K> right = operand<K>(steps[step], batch, slice, word);
        for (std::size_t k = 0; k < K; ++k) value.v[k] = and_xor(value.v[k], right.v[k], flip);
        break;
      }
      case StepKind::disjunction: {
        const Tile<K> right = operand<K>(steps[step], batch, slice, word);
        for (std::size_t k = 0; k < K; ++k) value.v[k] = or_xor(value.v[k], right.v[k], flip);
        break;
      }
      case StepKind::load:
        store(value, top);
        top += slice_words;
        value = operand<K>(steps[step], batch, slice, word);
        for (std::size_t k = 0; k < K; ++k) value.v[k] = hn::Xor(value.v[k], flip);
        break;
      case StepKind::pop_conjunction: {
        top -= slice_words;
        const Tile<K> left = load<K>(top);
        for (std::size_t k = 0; k < K; ++k) value.v[k] = hn::And(left.v[k], value.v[k]);
        break;
      }
      case StepKind::pop_disjunction: {
        top -= slice_words;
        const Tile<K> left = load<K>(top);
        for (std::size_t k = 0; k < K; ++k) value.v[k] = hn::Or(left.v[k], value.v[k]);
        break;
      }
      case StepKind::complement:
        for (std::size_t k = 0; k < K; ++k) value.v[k] = hn::Not(value.v[k]);
        break;
    }
  }
  return value;
}

// Rows that count for rules of each present set.
HWY_INLINE void fill_bases(const Batch& batch, Slice& slice, BatchCounters& counters) {
  for (std::size_t set = 0; set < batch.present_sets(); ++set) {
    std::uint64_t* const to = slice.bases.data() + set * slice_words;
    Vector total = hn::Zero(Lane());
    for_tiles(slice.words, [&](auto k, std::size_t word) HWY_ATTR {
      auto base = load<k()>(slice.rows.data() + word);
      for (const std::uint32_t a : batch.present_set(set)) {
        base =
            both(base, load<k()>(slice.first_plane[a] + slice.plane_count[a] * slice_words + word));
      }
      store(base, to + word);
      total = hn::Add(total, count(base));
    });
    counters.present[set] += sum(total);
  }
}

HWY_INLINE void prepare_comparisons(const Batch& batch, Slice& slice, BatchCounters& counters) {
  const auto prepared = batch.prepared();
  const bool supports = batch.options().comparison_supports;
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    const BoundComparison& comparison = batch.comparisons()[prepared[i]];
    Vector total = hn::Zero(Lane());
    for_tiles(slice.words, [&](auto k, std::size_t word) HWY_ATTR {
      const auto value = evaluate<k()>(comparison, slice, word);
      if (i < batch.slots()) store(value, slice.slots.data() + i * slice_words + word);
      if (supports) total = hn::Add(total, count(both(value, load<k()>(slice.rows.data() + word))));
    });
    if (supports) counters.supports[prepared[i]] += sum(total);
  }
}

void sum_hashes(const std::uint64_t* cover, std::size_t words, const std::uint64_t* row_hashes,
                std::uint64_t& hash) {
  for (std::size_t w = 0; w < words; ++w) {
    for (std::uint64_t rows = cover[w]; rows != 0; rows &= rows - 1) {
      hash += row_hashes[w * 64 + static_cast<std::size_t>(std::countr_zero(rows))];
    }
  }
}

HWY_INLINE void count_rule(std::size_t index, const Batch& batch, Slice& slice,
                           BatchCounters& counters) {
  const CompiledRule& rule = batch.rules()[index];
  const std::size_t set =
      batch.options().exclude_missing_consequent ? rule.present_set : std::uint32_t{0};
  const std::uint64_t* const bases = slice.bases.data() + set * slice_words;
  const bool hashes = batch.options().coverage_hashes;
  std::uint64_t* const covers = slice.covers.data();
  // Counts of a slice fit in 21 bits, so one sum over the lanes does for all three.
  Vector packed = hn::Zero(Lane());
  for_tiles(slice.words, [&](auto k, std::size_t word) HWY_ATTR {
    auto antecedent = run<k()>(rule.antecedent, rule.consequent, batch, slice, word);
    auto consequent = run<k()>(rule.consequent, rule.end, batch, slice, word);
    if (hashes) {
      const auto rows = load<k()>(slice.rows.data() + word);
      store(both(antecedent, rows), covers + word);
      store(both(consequent, rows), covers + slice_words + word);
    }
    const auto base = load<k()>(bases + word);
    antecedent = both(antecedent, base);
    consequent = both(consequent, base);
    packed = hn::Add(packed, count(antecedent));
    packed = hn::Add(packed, hn::ShiftLeft<21>(count(consequent)));
    packed = hn::Add(packed, hn::ShiftLeft<42>(count(both(antecedent, consequent))));
  });
  static_assert(slice_words * 64 < std::uint64_t{1} << 21);
  constexpr std::uint64_t low = (std::uint64_t{1} << 21) - 1;
  const std::uint64_t total = sum(packed);
  counters.rules[index * 3] += total & low;
  counters.rules[index * 3 + 1] += (total >> 21) & low;
  counters.rules[index * 3 + 2] += total >> 42;
  if (hashes) {
    const std::uint64_t* const row_hashes = slice.row_hashes.data();
    sum_hashes(covers, slice.words, row_hashes, counters.hashes[index * 2]);
    sum_hashes(covers + slice_words, slice.words, row_hashes, counters.hashes[index * 2 + 1]);
  }
}

void count_slice_here(const Batch& batch, Slice& slice, BatchCounters& counters) {
  fill_bases(batch, slice, counters);
  prepare_comparisons(batch, slice, counters);
  if (batch.options().coverage_hashes) {
    for (std::size_t r = 0; r < slice.words * 64; ++r) {
      slice.row_hashes[r] = row_hash(slice.first_row + r);
    }
  }
  for (std::size_t r = 0; r < batch.rules().size(); ++r) {
    count_rule(r, batch, slice, counters);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(count_slice_here);
}

void count_slice(const Batch& batch, Slice& slice, BatchCounters& counters) {
  HWY_DYNAMIC_DISPATCH(count_slice_here)(batch, slice, counters);
}

}  // namespace atl
#endif
