// The format of a batch for the device: groups of rules, each with a stream of words that a warp
// reads from the front to the end.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Planes of a digit. A comparison takes its bound digit by digit, and jumps to the machine code
/// made for the value of the digit.
inline constexpr std::uint32_t digit_planes = 4;
/// Planes of a pass, two digits, which lie in registers while all comparisons of an attribute are
/// evaluated. An attribute of more planes has several passes, from the low planes up.
inline constexpr std::uint32_t pass_planes = 2 * digit_planes;

/// Codes of a digit: its value (0 to 15) for `greater`, its value | digit_equal for `equal`, and
/// digit_again where nothing is compared: the words stay as the step before left them.
inline constexpr std::uint32_t digit_equal = 16;
inline constexpr std::uint32_t digit_again = 32;

/// The fields of a step: code of the lower digit, code of the upper digit, StepBit, term,
/// complement. The term keeps the rows on which the comparison holds, or, with the complement,
/// those on which it does not.
inline constexpr std::uint32_t step_lower_mask = 63;
inline constexpr std::uint32_t step_upper_shift = 6;
inline constexpr std::uint32_t step_upper_mask = 31;
/// Bits of steps in special passes alone, where each step is followed by the number of a slot. A
/// step without a term leaves its words in that slot.
enum StepBit : std::uint32_t {
  step_hold = 1U << 11,     ///< the words go to the slot; there is no term
  step_without = 1U << 12,  ///< the rows of the slot before this one, less those of this step
  step_outside = 1U << 13,  ///< the result is complemented
  step_present = 1U << 14,  ///< and limited to the rows with a value
};
inline constexpr std::uint32_t step_term_shift = 16;
inline constexpr std::uint32_t term_mask = 0x7FFF;
inline constexpr std::uint32_t step_complement_shift = 31;

/// Bits of a pass, above its number of planes and below its number of folds.
enum PassBit : std::uint32_t {
  pass_special = 1U << 8,     ///< steps have slots and StepBits
  pass_begins = 1U << 9,      ///< of the lowest planes; later passes go on from the slots
  pass_continues = 1U << 10,  ///< another pass follows: words go to the slots
};
inline constexpr std::uint32_t pass_planes_mask = 255;
inline constexpr std::uint32_t pass_folds_shift = 16;

/// A fold: target, source, complement, and whether the target begins with this fold. Then it takes
/// the source's number; otherwise the source's words become ones again, for another term.
inline constexpr std::uint32_t fold_source_shift = 15;
inline constexpr std::uint32_t fold_complement = 1U << 30;
inline constexpr std::uint32_t fold_begins = 1U << 31;

/// A program is a list of 32-bit words: the places (indices of words) of each group's stream, then
/// of each present set, then the present sets, then the streams. A present set is a count and the
/// planes that tell where its attributes have a value; the first set is empty.
///
/// The stream of a group, every count before what it counts:
///   terms; index of the first comparison
///   passes, each: its lowest plane; planes | PassBit | folds; the plane of presence; steps; their
///     words; folds
///   index of the first rule; rules, each:
///     antecedent | complement << 15 | consequent << 16 | complement << 31; a present set's place
///
/// Plain steps of an attribute with several passes have a run of slots; the word before them is the
/// first slot, and only steps of the last pass have a term. Terms and slots are numbered together,
/// slots behind the terms. A term that has been folded leaves its number to another.
///
/// An example, which tests/cuda/test_device_program.cpp pins. Attributes: age with the codes 0 to
/// 99 (planes 0 to 6), colour with blue, green, red (planes 7 and 8), sold with no, yes (plane 9).
/// The rule `age <= 40 AND colour != red => sold = yes` has two terms, 0 for the antecedent and 1
/// for the consequent. Both begin as all ones. The batch compares age > 40, colour = red and
/// sold = yes, and the term is narrowed to the complement of the first two.
///
///    0  00000003   the stream of group 0 is at word 3
///    1  00000002   present set 0 is at word 2
///    2  00000000   it has no planes
///    3  00000002   2 terms
///    4  00000000   the first comparison is number 0
///    5  00000003   3 passes
///    6  00000000   pass of age: its lowest plane is 0
///    7  00000207     7 planes | pass_begins
///    8  00000007     presence would be plane 7, which no plain step reads
///    9  00000001     1 step
///   10  80000088       > 40: lower digit 8, upper digit 2 << 6; term 0; complement
///   11  00000007   pass of colour: its lowest plane is 7
///   12  00000202     2 planes | pass_begins
///   13  00000009     presence
///   14  00000001     1 step
///   15  80000412       = 2: lower digit 2 | digit_equal, upper digit (0 | digit_equal) << 6;
///                      term 0; complement
///   16  00000009   pass of sold: its lowest plane is 9
///   17  00000201     1 plane | pass_begins
///   18  0000000A     presence
///   19  00000001     1 step
///   20  00010411       = 1: lower digit 1 | digit_equal, upper digit (0 | digit_equal) << 6;
///                      term 1 << 16
///   21  00000000   the first rule is number 0
///   22  00000001   1 rule
///   23  00010000     antecedent: term 0; consequent: term 1 << 16
///   24  00000002     its present set is at word 2

}  // namespace atl::cuda
