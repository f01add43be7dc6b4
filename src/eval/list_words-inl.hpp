// Words of operands and antecedents of decision lists on a tile. Included by list_kernel.cpp once
// for each instruction set; hence the guard that toggles.
#if defined(ATOLL_LIST_WORDS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_LIST_WORDS_INL
#undef ATOLL_LIST_WORDS_INL
#else
#define ATOLL_LIST_WORDS_INL
#endif

#include <bit>

#include "src/eval/list_batch.hpp"
#include "src/eval/plane_tiles-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

// a | b if `either` is set, else a & b, in either case the majority of both and the flag: no
// branch, which for tokens of an expression could not be foreseen.
HWY_INLINE Tile combine(const Tile& a, const Tile& b, bool either) {
  const Vector mask = spread_bit(either);
  Tile result;
  ATOLL_TILE_LOOP(k) {
#if ATOLL_TERNARY
    result.v[k] = compare_step(a.v[k], b.v[k], mask);
#else
    result.v[k] = hn::Or(hn::And(a.v[k], b.v[k]), hn::And(mask, hn::Or(a.v[k], b.v[k])));
#endif
  }
  return result;
}

// The rows of `code > bound`, from the low planes up: where the bound has a one the code must have
// a one and be greater below, else have a one or be greater below.
HWY_INLINE Tile greater(std::uint32_t bound, const std::uint64_t* planes, std::uint32_t count) {
  std::uint32_t bit = static_cast<std::uint32_t>(std::countr_one(bound));
  if (bit >= count) return spread_tile(0);
  Tile value = load(planes + bit * tile_words);
  for (++bit; bit < count; ++bit) {
    value = combine(value, load(planes + bit * tile_words), (bound >> bit & 1) == 0);
  }
  return value;
}

HWY_INLINE Tile equal(std::uint32_t code, const std::uint64_t* planes, std::uint32_t count) {
  Tile value = spread_tile(~std::uint32_t{0});
  for (std::uint32_t bit = 0; bit < count; ++bit) {
    value = and_xor(value, load(planes + bit * tile_words), spread_bit((code >> bit & 1) == 0));
  }
  return value;
}

// @param tile  all planes of the tile
HWY_INLINE Tile operand_words(const ListOperand& operand, const std::uint64_t* tile) {
  const BoundComparison& comparison = operand.comparison;
  const std::uint64_t* const planes = tile + std::size_t{operand.first_plane} * tile_words;
  Tile value = spread_tile(0);
  switch (comparison.kind) {
    case BoundKind::never:
      break;
    case BoundKind::equal:
      value = equal(comparison.low, planes, operand.planes);
      break;
    case BoundKind::greater:
      value = greater(comparison.low, planes, operand.planes);
      break;
    case BoundKind::interval:
      value = without(greater(comparison.low, planes, operand.planes),
                      greater(comparison.high, planes, operand.planes));
      break;
  }
  const Tile present = comparison.limit_to_present ? load(planes + operand.planes * tile_words)
                                                   : spread_tile(~std::uint32_t{0});
  value = and_xor(present, value, spread_bit(comparison.complement));
  return and_xor(spread_tile(~std::uint32_t{0}), value, spread_bit(operand.complement));
}

// @param rows  that count
HWY_NOINLINE Tile expression_words(const std::uint32_t* tokens, std::uint32_t count,
                                   const std::uint64_t* slots, const Tile& rows) {
  alignas(AlignedWords::alignment) std::uint64_t stack[most_list_levels * tile_words];
  std::uint64_t* end = stack;
  Tile top = spread_tile(~std::uint32_t{0});
  for (; count != 0; --count, ++tokens) {
    const std::uint64_t* const operand = slots + (*tokens >> list_step_bits) * tile_words;
    const auto step = static_cast<ListStep>(*tokens & ((1U << list_step_bits) - 1));
    if (step <= ListStep::disjunction) {
      top = combine(top, load(operand), step == ListStep::disjunction);
    } else if (step == ListStep::push) {
      store(top, end);
      end += tile_words;
      top = load(operand);
    } else {
      end -= tile_words;
      top = combine(top, load(end), step == ListStep::pop_disjunction);
    }
  }
  return both(top, rows);
}

// Words of the next antecedent, which the stream then has behind it.
// @param rows  that count
HWY_INLINE Tile antecedent_words(const std::uint32_t*& stream, const std::uint64_t* slots,
                                 const Tile& rows) {
  const std::uint32_t number = *stream >> list_code_bits;
  const auto code = static_cast<ListCode>(*stream++ & ((1U << list_code_bits) - 1));
  if (code == ListCode::slot) return load(slots + number * tile_words);
  const std::uint32_t* const tokens = stream;
  stream += number;
  if (code == ListCode::expression) return expression_words(tokens, number, slots, rows);
  Tile words = rows;
  for (const std::uint32_t* token = tokens; token != stream; ++token) {
    words = both(words, load(slots + *token * tile_words));
  }
  return words;
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
