// How a batch is written for the device: groups of rules, each with a stream of words that a warp
// reads from the front to the end.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Planes of a digit: a comparison goes from digit to digit, and jumps to the code that its bound's
/// digit needs.
inline constexpr std::uint32_t digit_planes = 4;
/// Planes that lie in registers while comparisons pass, of two digits. An attribute of more has a
/// pass for each so many, from the low planes up.
inline constexpr std::uint32_t pass_planes = 2 * digit_planes;

/// Of a step's digits: `greater` and `equal` of each value of a digit.
inline constexpr std::uint32_t digit_bits = 5;
inline constexpr std::uint32_t digit_equal = 16;

/// Bits of a step, above its two digits'.
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

/// Bits of a pass, above its number of planes. An attribute's only pass has none of them.
enum PassBit : std::uint32_t {
  pass_begins = 1U << 8,     ///< the lowest of several; later ones go on from the slots
  pass_continues = 1U << 9,  ///< another follows: steps are their digits and a slot, no more
  pass_ends = 1U << 10,      ///< the highest of several: a word with the slot follows each step
};

/// The stream of a group. All counts come first.
///   blanks, then the terms that no comparison is subtracted from
///   index of the first comparison
///   passes, each: its lowest plane; planes | PassBit; the plane of presence; steps; their words
///   folds: target | source << 15 | complement << 30
///   index of the first rule; rules, each:
///     antecedent | complement << 15 | consequent << 16 | complement << 31; a present set's place
/// Terms and slots are numbered together, slots behind the terms. A present set is a count and the
/// planes in which its attributes' presence stands. The program begins with the place of each
/// group's stream, then of each present set.

}  // namespace atl::cuda
