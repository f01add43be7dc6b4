// The format of decision lists for the device: 32-bit words in units of four, which a thread loads
// at once. C++17, for the device's compiler as well.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Rows that a warp evaluates at a time: 4 words of each of its 32 threads. The same words of 64
/// rows are a tile of the host's.
inline constexpr std::uint32_t list_tile_rows = 4096;
inline constexpr std::uint32_t list_tile_words = list_tile_rows / 64;
/// Bytes that a plane, or a slot, of a tile takes.
inline constexpr std::uint32_t slot_bytes = list_tile_rows / 8;
/// The same in units of 16 bytes.
inline constexpr std::uint32_t slot_units = slot_bytes / 16;

inline constexpr std::uint32_t unit_words = 4;

/// An operand is a unit: its first plane; its planes, without that of presence, which comes behind
/// them, | kind | OperandBit; low; high (BoundComparison).
inline constexpr std::uint32_t operand_planes_mask = 63;
inline constexpr std::uint32_t operand_kind_shift = 6;
inline constexpr std::uint32_t operand_kind_mask = 3;
enum OperandKind : std::uint32_t {
  operand_never,
  operand_equal,
  operand_greater,
  operand_interval
};
enum OperandBit : std::uint32_t {
  operand_inverted = 1U << 8,    ///< of the comparison, before presence
  operand_present = 1U << 9,     ///< limited to the rows with a value
  operand_complement = 1U << 10  ///< of all that
};

/// A group is two units: first operand; operands; shared antecedents; unit of the first one's in
/// the stream; first list; lists; number of the first shared antecedent; 0.
struct ListGroupWords {
  std::uint32_t first_operand, operands, shared, unit;
  std::uint32_t first_list, lists, first_shared, unused;
};

/// An antecedent begins a unit: a word with its code and, above it, a number; then its tokens, on
/// through as many units as they need.
inline constexpr std::uint32_t antecedent_code_bits = 2;
enum AntecedentCode : std::uint32_t {
  antecedent_slot,         ///< number: place of the slot that has its rows, in bytes; no tokens
  antecedent_conjunction,  ///< number: of tokens, each the place of a slot in bytes
  antecedent_expression,   ///< number: of tokens, each the place of a slot in bytes | step
};
inline constexpr std::uint32_t token_step_mask = 7;
enum TokenStep : std::uint32_t {
  token_conjunction,  ///< top &= slot; the first top is all ones
  token_disjunction,  ///< top |= slot
  token_push,         ///< top goes to the stack, the slot is the new one
  token_pop_conjunction,
  token_pop_disjunction,
};
inline constexpr std::uint32_t most_token_levels = 16;  ///< of the stack

}  // namespace atl::cuda
