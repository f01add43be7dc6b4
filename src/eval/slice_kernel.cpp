// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/eval/slice_kernel.hpp"

#include <array>
#include <utility>

#include "src/core/row_hash.hpp"

// The first is needed for vpopcntq; arrays of vectors need a size known to the compiler.
#define HWY_WANT_AVX3_DL
#ifndef HWY_DISABLED_TARGETS  // builds with sanitizers make fewer variants
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/eval/slice_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/eval/tile_planes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

constexpr std::size_t most_planes = 8;  // that code is made for

template <std::size_t... Planes>
constexpr auto run_functions(std::index_sequence<Planes...>) {
  return std::array{run_comparisons<Planes>...};
}

// Begins to bring the attribute's part of the next slice into the second-level cache.
void fetch_ahead(const Slice& slice, std::uint32_t attribute, std::size_t word) {
  const std::uint64_t* from = slice.ahead[attribute];
  if (from == nullptr) return;
  const std::size_t planes =
      slice.plane_count[attribute] + (slice.has_present[attribute] ? 1U : 0U);
  for (std::size_t plane = 0; plane < planes; ++plane, from += slice.ahead_stride) {
    for (std::size_t w = 0; w < tile_words; w += 8) __builtin_prefetch(from + word + w, 0, 2);
  }
}

// Subtracts the group's comparisons from its terms, which are all ones, in the tile that begins at
// a word of the slice.
void run_program(const Batch& batch, const PlaneProgram& program, std::size_t group, Slice& slice,
                 std::size_t word, BatchCounters& counters) {
  static constexpr auto functions = run_functions(std::make_index_sequence<most_planes + 1>());
  RunState state{};
  const std::uint64_t* const rows = slice.rows.data() + word;
  state.rows = rows[tile_words - 1] == ~std::uint64_t{0} ? nullptr : rows;
  state.terms = slice.terms.data();
  state.stream = program.stream(group);
  if (batch.options().comparison_supports) {
    state.supports = counters.supports.data() +
                     std::size_t{batch.groups()[group].first_comparison} * support_lanes;
  }
  for (const Run& run : program.runs(group)) {
    if (group == 0) fetch_ahead(slice, run.attribute, word);
    state.planes = slice.first_plane[run.attribute] + word;
    state.plane_count = slice.plane_count[run.attribute];
    state.has_present = slice.has_present[run.attribute];
    const std::size_t planes = state.plane_count <= most_planes ? state.plane_count : 0;
    functions[planes](run, state);
  }
}

// Rows that count for rules of each present set.
void fill_bases(const Batch& batch, Slice& slice, BatchCounters& counters) {
  for (std::size_t set = 0; set < batch.present_sets(); ++set) {
    std::uint64_t* const to = slice.bases.data() + set * slice_words;
    for (std::size_t word = 0; word < slice.words; word += tile_words) {
      Tile base = load(slice.rows.data() + word);
      for (const std::uint32_t a : batch.present_set(set)) {
        base = both(base, load(slice.first_plane[a] + slice.plane_count[a] * slice_words + word));
      }
      store(base, to + word);
      counters.present[set] += sum(count(base));
    }
  }
}

std::uint64_t sum_hashes(const Tile& cover, const std::uint64_t* row_hashes) {
  alignas(AlignedWords::alignment) std::uint64_t words[tile_words];
  store(cover, words);
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < tile_words; ++w) {
    for (std::uint64_t rows = words[w]; rows != 0; rows &= rows - 1) {
      hash += row_hashes[w * 64 + static_cast<std::size_t>(std::countr_zero(rows))];
    }
  }
  return hash;
}

// Adds the levels of the rows of `cover`, a tile that begins at a word of the slice.
HWY_NOINLINE void sum_levels(const Batch& batch, const Slice& slice, std::size_t word,
                             const Tile& cover, std::uint32_t rule, BatchCounters& counters) {
  // Goes from the high plane down: twice the sum so far, and the plane's count.
  const std::size_t planes = slice.target->scale().planes;
  const std::uint64_t* plane = slice.target->planes(slice.index) + planes * slice_words + word;
  Vector levels = hn::Zero(Lane());
  for (std::size_t p = planes; p != 0; --p) {
    plane -= slice_words;
    levels = hn::Add(hn::Add(levels, levels), count(both(cover, load(plane))));
  }
  counters.sums[rule] += sum(levels);
  if (!batch.options().mean->deviations) return;
  alignas(AlignedWords::alignment) std::uint64_t words[tile_words];
  store(cover, words);
  const std::uint32_t* const of_row = slice.target->levels(slice.index) + word * 64;
  LevelSums sums;
  for (std::size_t w = 0; w < tile_words; ++w) {
    for (std::uint64_t rows = words[w]; rows != 0; rows &= rows - 1) {
      sums.add(of_row[w * 64 + static_cast<std::size_t>(std::countr_zero(rows))]);
    }
  }
  counters.squares[rule] += sums.squares;
}

// Three counts of a slice's lane in one: each has at most 4096 rows.
constexpr int field = 21;
static_assert(slice_words * 64 < std::uint64_t{1} << field);

// Tallies the rules of a group whose comparisons have been run on the tile, and makes its terms all
// ones again.
void count_rules(const Batch& batch, const RuleGroup& group, Slice& slice, std::size_t word,
                 BatchCounters& counters) {
  const bool exclude = batch.options().exclude_missing_consequent;
  const Tile ones = spread_tile(~std::uint32_t{0});
  const auto take = [&](std::uint32_t term) HWY_ATTR {
    std::uint64_t* const words = slice.terms.data() + term * tile_words;
    const Tile taken = load(words);
    store(ones, words);
    return taken;
  };
  std::uint64_t* tally = slice.tallies.data();
  for (std::uint32_t r = group.first_rule; r < group.end_rule; ++r, tally += tile_words) {
    const CompiledRule& rule = batch.rules()[r];
    for (std::uint32_t f = rule.first_fold; f < rule.end_fold; ++f) {
      const Fold& fold = batch.folds()[f];
      subtract(take(fold.source), spread_bit(fold.complement),
               slice.terms.data() + fold.target * tile_words);
    }
    const Tile left = take(rule.antecedent.term);
    const Tile right = take(rule.consequent.term);
    const Vector left_complement = spread_bit(rule.antecedent.complement);
    const Vector right_complement = spread_bit(rule.consequent.complement);
    const std::size_t set = exclude ? rule.present_set : 0;
    const Tile base = load(slice.bases.data() + set * slice_words + word);
    const Tile antecedent = and_xor(base, left, left_complement);
    const Tile consequent = and_xor(base, right, right_complement);
    Vector sums = hn::Load(Lane(), tally);
    sums = hn::Add(sums, count(antecedent));
    sums = hn::Add(sums, hn::ShiftLeft<field>(count(consequent)));
    sums = hn::Add(sums, hn::ShiftLeft<2 * field>(count(both(antecedent, consequent))));
    hn::Store(sums, Lane(), tally);
    if (slice.target != nullptr) {
      sum_levels(batch, slice, word, both(antecedent, consequent), r, counters);
    }
    if (batch.options().coverage_hashes) {
      const Tile rows = load(slice.rows.data() + word);
      const std::uint64_t* const hashes = slice.row_hashes.data() + word * 64;
      counters.hashes[r * 2] += sum_hashes(and_xor(rows, left, left_complement), hashes);
      counters.hashes[r * 2 + 1] += sum_hashes(and_xor(rows, right, right_complement), hashes);
    }
  }
}

void count_group(const Batch& batch, const PlaneProgram& program, std::size_t index, Slice& slice,
                 BatchCounters& counters) {
  const RuleGroup& group = batch.groups()[index];
  const std::size_t rules = group.end_rule - group.first_rule;
  std::fill_n(slice.tallies.data(), rules * tile_words, 0);
  for (std::size_t word = 0; word < slice.words; word += tile_words) {
    run_program(batch, program, index, slice, word, counters);
    count_rules(batch, group, slice, word, counters);
  }
  constexpr std::uint64_t low = (std::uint64_t{1} << field) - 1;
  std::uint64_t* const to = counters.rules.data() + std::size_t{group.first_rule} * 3;
  for (std::size_t r = 0; r < rules; ++r) {
    const std::uint64_t total = sum(hn::Load(Lane(), slice.tallies.data() + r * tile_words));
    to[r * 3] += total & low;
    to[r * 3 + 1] += (total >> field) & low;
    to[r * 3 + 2] += total >> (2 * field);
  }
}

void count_slice_here(const Batch& batch, const PlaneProgram& program, Slice& slice,
                      BatchCounters& counters) {
  fill_bases(batch, slice, counters);
  if (batch.options().coverage_hashes) {
    for (std::size_t r = 0; r < slice.words * 64; ++r) {
      slice.row_hashes[r] = row_hash(slice.first_row + r);
    }
  }
  for (std::size_t g = 0; g < batch.groups().size(); ++g) {
    count_group(batch, program, g, slice, counters);
  }
}

BoundForm bound_form_here() {
  return ATOLL_TERNARY ? BoundForm::masks : BoundForm::digits;
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(bound_form_here);
HWY_EXPORT(count_slice_here);
}  // namespace

BoundForm bound_form() {
  return HWY_DYNAMIC_DISPATCH(bound_form_here)();
}

void count_slice(const Batch& batch, const PlaneProgram& program, Slice& slice,
                 BatchCounters& counters) {
  HWY_DYNAMIC_DISPATCH(count_slice_here)(batch, program, slice, counters);
}

}  // namespace atl
#endif
