// The format of rows and rules for the kernels of the published pipeline.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Threads of a block of the coverage kernel (section 5.1).
inline constexpr std::uint32_t coverage_threads = 256;

/// Rows of a column, of an expression's results and of a condition's: whole blocks, so that all
/// accesses are aligned and no thread has a row that does not exist.
constexpr std::uint64_t padded_rows(std::uint64_t rows) noexcept {
  return (rows + coverage_threads - 1) / coverage_threads * coverage_threads;
}

/// The meaning of a word of a postfix expression; its operand is in the bits above token_bits.
enum class Token : std::uint32_t {
  attribute,  ///< pushes the value of attribute `operand` on the row
  value,      ///< pushes the word that follows
  // These take a value and, below it, an attribute's. They push whether they hold, which they do
  // not on a missing value, and write it down as that of condition `operand` of the expression.
  at_most,
  above,
  equal,
  unequal,
  inside,   ///< takes two values, the greater one on top, both inclusive
  outside,  ///< likewise
  // These take one or two truths and push one.
  conjunction,
  disjunction,
  negation,
};
inline constexpr std::uint32_t token_bits = 4;

/// Words of constant memory: 64 KiB.
inline constexpr std::uint32_t constant_words = 16384;

/// The expressions of one side of a chunk of rules are written as
///   [expressions + 1] where each one's tokens begin, and the last one's end, from the first word
///   [expressions] the index of each one's first condition
///   tokens

}  // namespace atl::cuda
