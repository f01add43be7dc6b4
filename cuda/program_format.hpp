// How a batch is written for the device: groups of rules, each with a stream of words that a warp
// reads from the front to the end.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Planes of a digit: a comparison goes from digit to digit, and jumps to the code that its bound's
/// digit needs.
inline constexpr std::uint32_t digit_planes = 4;
/// Digits that lie in registers while the comparisons on an attribute pass.
inline constexpr std::uint32_t held_digits = 2;

/// Of a step's digits: `greater` and `equal` of each value of a digit.
inline constexpr std::uint32_t digit_bits = 5;
inline constexpr std::uint32_t digit_equal = 16;

/// Bits of a step's first word, above those of the held digits. Then comes, for an attribute of
/// more than held_digits, a word of the others' codes.
enum StepBit : std::uint32_t {
  step_complement = 1U << 10,  ///< the term takes the comparison's complement
  step_first = 1U << 11,       ///< the term has no words yet
  step_hold = 1U << 12,        ///< keep the words; there is no term
  step_without = 1U << 13,     ///< the words held without these
  step_outside = 1U << 14,     ///< complemented
  step_present = 1U << 15,     ///< limited to the rows with a value
  step_more = 1U << 31,        ///< a word with a further use follows: complement, first and term
};
inline constexpr std::uint32_t step_term_shift = 16;
inline constexpr std::uint32_t term_mask = 0x7FFF;

/// The stream of a group. All counts come first.
///   blanks, then the terms that no comparison is subtracted from
///   index of the first comparison; runs, each: the attribute's first plane; planes | has_present
///   << 8; steps; the steps' words folds: target | source << 15 | complement << 30 index of the
///   first rule; rules, each:
///     antecedent | complement << 15 | consequent << 16 | complement << 31; a present set's place
/// A present set is a count and the planes in which its attributes' presence stands.
/// The program begins with the place of each group's stream, then of each present set.

}  // namespace atl::cuda
