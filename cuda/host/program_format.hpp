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

/// Codes of a digit: `greater` and `equal` of each value, and that there is no digit: words stay as
/// the step before left them.
inline constexpr std::uint32_t digit_equal = 16;
inline constexpr std::uint32_t digit_again = 32;

/// A step: code of the lower digit, of the upper one, StepBit, term, complement. It subtracts what
/// it compares, or its complement, from the term.
inline constexpr std::uint32_t step_lower_mask = 63;
inline constexpr std::uint32_t step_upper_shift = 6;
inline constexpr std::uint32_t step_upper_mask = 31;
/// Only in special passes, where the word of a slot follows each step. That of a step without term
/// is where its words go.
enum StepBit : std::uint32_t {
  step_hold = 1U << 11,     ///< to the slot; no term
  step_without = 1U << 12,  ///< what the slot before this one holds, without these
  step_outside = 1U << 13,  ///< complemented
  step_present = 1U << 14,  ///< limited to the rows with a value
};
inline constexpr std::uint32_t step_term_shift = 16;
inline constexpr std::uint32_t term_mask = 0x7FFF;
inline constexpr std::uint32_t step_complement_shift = 31;

/// Bits of a pass, above its number of planes and below its number of folds.
enum PassBit : std::uint32_t {
  pass_special = 1U << 8,     ///< not all steps are plain
  pass_begins = 1U << 9,      ///< the lowest planes; later passes go on from the slots
  pass_continues = 1U << 10,  ///< another follows: steps end with their slots
};
inline constexpr std::uint32_t pass_planes_mask = 255;
inline constexpr std::uint32_t pass_folds_shift = 16;

/// A fold: target, source, complement, and whether the target begins with it, which is then where
/// the source was. Otherwise the source is left as ones, for another term.
inline constexpr std::uint32_t fold_source_shift = 15;
inline constexpr std::uint32_t fold_complement = 1U << 30;
inline constexpr std::uint32_t fold_begins = 1U << 31;

/// The stream of a group. All counts come first.
///   terms; index of the first comparison
///   passes, each: its lowest plane; planes | PassBit | folds; the plane of presence; steps; their
///     words; folds
///   index of the first rule; rules, each:
///     antecedent | complement << 15 | consequent << 16 | complement << 31; a present set's place
/// The words of plain steps of an attribute with several passes begin with the first of their
/// slots, the others behind it in order; only steps of the last pass have a term. Terms and slots
/// are numbered together, slots behind the terms. A term that has been folded leaves its number to
/// another. A present set is a count and the planes in which its attributes' presence stands. The
/// program begins with the place of each group's stream, then of each present set.

}  // namespace atl::cuda
