// One step of a comparison: four planes of 256 rows a thread, by a jump to the code for the bound's
// digit. A digit of four planes takes two three-input operations a word, where a step that does not
// know the digit takes four, and the compiler makes a tree of branches of a switch.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Words of 32 rows that a thread has of each plane.
inline constexpr int thread_words = 8;

// Truth tables of two planes, high and low, and what is known of the lower digits (0xF0, 0xCC, 0xAA
// in the operands' order): greater than, or equal to, the value of two bits. Without lower digits
// the third operand does not matter.
#define ATOLL_GREATER_0 "0xFE"
#define ATOLL_GREATER_1 "0xF8"
#define ATOLL_GREATER_2 "0xE0"
#define ATOLL_GREATER_3 "0x80"
#define ATOLL_EQUAL_0 "0x02"
#define ATOLL_EQUAL_1 "0x08"
#define ATOLL_EQUAL_2 "0x20"
#define ATOLL_EQUAL_3 "0x80"
#define ATOLL_LOWEST_GREATER_0 "0xFC"
#define ATOLL_LOWEST_GREATER_1 "0xF0"
#define ATOLL_LOWEST_GREATER_2 "0xC0"
#define ATOLL_LOWEST_GREATER_3 "0x00"
#define ATOLL_LOWEST_EQUAL_0 "0x03"
#define ATOLL_LOWEST_EQUAL_1 "0x0C"
#define ATOLL_LOWEST_EQUAL_2 "0x30"
#define ATOLL_LOWEST_EQUAL_3 "0xC0"

// Operands: %0-7 the words, %8-15 to %32-39 the planes from the low one up, %40 the digit's code.
#define ATOLL_LOP(to, high, low, with, table) \
  "lop3.b32 %" #to ", %" #high ", %" #low ", %" #with ", " table ";\n\t"
#define ATOLL_LOW_PLANES(table)                                                                \
  ATOLL_LOP(0, 16, 8, 0, table)                                                                \
  ATOLL_LOP(1, 17, 9, 1, table)                                                                \
  ATOLL_LOP(2, 18, 10, 2, table)                                                               \
  ATOLL_LOP(3, 19, 11, 3, table)                                                               \
  ATOLL_LOP(4, 20, 12, 4, table) ATOLL_LOP(5, 21, 13, 5, table) ATOLL_LOP(6, 22, 14, 6, table) \
      ATOLL_LOP(7, 23, 15, 7, table)
#define ATOLL_LOWEST_PLANES(table)                                                                \
  ATOLL_LOP(0, 16, 8, 8, table)                                                                   \
  ATOLL_LOP(1, 17, 9, 9, table)                                                                   \
  ATOLL_LOP(2, 18, 10, 10, table)                                                                 \
  ATOLL_LOP(3, 19, 11, 11, table)                                                                 \
  ATOLL_LOP(4, 20, 12, 12, table) ATOLL_LOP(5, 21, 13, 13, table) ATOLL_LOP(6, 22, 14, 14, table) \
      ATOLL_LOP(7, 23, 15, 15, table)
#define ATOLL_HIGH_PLANES(table)                                                               \
  ATOLL_LOP(0, 32, 24, 0, table)                                                               \
  ATOLL_LOP(1, 33, 25, 1, table)                                                               \
  ATOLL_LOP(2, 34, 26, 2, table)                                                               \
  ATOLL_LOP(3, 35, 27, 3, table)                                                               \
  ATOLL_LOP(4, 36, 28, 4, table) ATOLL_LOP(5, 37, 29, 5, table) ATOLL_LOP(6, 38, 30, 6, table) \
      ATOLL_LOP(7, 39, 31, 7, table)

#define ATOLL_CASE(code, low, high) "D" #code ":\n\t" low high "bra.uni DONE;\n\t"
// Sixteen values of a digit, two bits of it in `low`, two in `high`.
#define ATOLL_DIGITS(c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, low, \
                     kind)                                                                      \
  ATOLL_CASE(c0, low(kind, 0), ATOLL_HIGH_PLANES(ATOLL_##kind##_0))                             \
  ATOLL_CASE(c1, low(kind, 1), ATOLL_HIGH_PLANES(ATOLL_##kind##_0))                             \
  ATOLL_CASE(c2, low(kind, 2), ATOLL_HIGH_PLANES(ATOLL_##kind##_0))                             \
  ATOLL_CASE(c3, low(kind, 3), ATOLL_HIGH_PLANES(ATOLL_##kind##_0))                             \
  ATOLL_CASE(c4, low(kind, 0), ATOLL_HIGH_PLANES(ATOLL_##kind##_1))                             \
  ATOLL_CASE(c5, low(kind, 1), ATOLL_HIGH_PLANES(ATOLL_##kind##_1))                             \
  ATOLL_CASE(c6, low(kind, 2), ATOLL_HIGH_PLANES(ATOLL_##kind##_1))                             \
  ATOLL_CASE(c7, low(kind, 3), ATOLL_HIGH_PLANES(ATOLL_##kind##_1))                             \
  ATOLL_CASE(c8, low(kind, 0), ATOLL_HIGH_PLANES(ATOLL_##kind##_2))                             \
  ATOLL_CASE(c9, low(kind, 1), ATOLL_HIGH_PLANES(ATOLL_##kind##_2))                             \
  ATOLL_CASE(c10, low(kind, 2), ATOLL_HIGH_PLANES(ATOLL_##kind##_2))                            \
  ATOLL_CASE(c11, low(kind, 3), ATOLL_HIGH_PLANES(ATOLL_##kind##_2))                            \
  ATOLL_CASE(c12, low(kind, 0), ATOLL_HIGH_PLANES(ATOLL_##kind##_3))                            \
  ATOLL_CASE(c13, low(kind, 1), ATOLL_HIGH_PLANES(ATOLL_##kind##_3))                            \
  ATOLL_CASE(c14, low(kind, 2), ATOLL_HIGH_PLANES(ATOLL_##kind##_3))                            \
  ATOLL_CASE(c15, low(kind, 3), ATOLL_HIGH_PLANES(ATOLL_##kind##_3))
#define ATOLL_FROM_LOWER(kind, bits) ATOLL_LOW_PLANES(ATOLL_##kind##_##bits)
#define ATOLL_FROM_NOTHING(kind, bits) ATOLL_LOWEST_PLANES(ATOLL_LOWEST_##kind##_##bits)
#define ATOLL_JUMP(low)                                                                            \
  "{\n\t"                                                                                          \
  "TARGETS: .branchtargets D0, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10, D11, D12, D13, D14, D15, " \
  "D16, D17, D18, D19, D20, D21, D22, D23, D24, D25, D26, D27, D28, D29, D30, D31;\n\t"            \
  "brx.idx.uni %40, TARGETS;\n\t" ATOLL_DIGITS(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,   \
                                               15, low, GREATER)                                   \
      ATOLL_DIGITS(16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, low,            \
                   EQUAL) "DONE:\n\t}"
#define ATOLL_WORDS(constraint, w)                                                          \
  constraint(w[0]), constraint(w[1]), constraint(w[2]), constraint(w[3]), constraint(w[4]), \
      constraint(w[5]), constraint(w[6]), constraint(w[7])

using ThreadWords = std::uint32_t[thread_words];

/// The lowest digit of a comparison.
/// @param code  of device_program.hpp, the same in the whole warp
/// @param planes  [4] from the low one up
__device__ __forceinline__ void lowest_digit(std::uint32_t code, const ThreadWords* planes,
                                             ThreadWords& words) {
  asm volatile(ATOLL_JUMP(ATOLL_FROM_NOTHING)
               : ATOLL_WORDS("=&r", words)
               : ATOLL_WORDS("r", planes[0]), ATOLL_WORDS("r", planes[1]),
                 ATOLL_WORDS("r", planes[2]), ATOLL_WORDS("r", planes[3]), "r"(code));
}

/// A further digit: the words hold what the lower ones say, and then what they say with this one.
__device__ __forceinline__ void next_digit(std::uint32_t code, const ThreadWords* planes,
                                           ThreadWords& words) {
  asm volatile(ATOLL_JUMP(ATOLL_FROM_LOWER)
               : ATOLL_WORDS("+r", words)
               : ATOLL_WORDS("r", planes[0]), ATOLL_WORDS("r", planes[1]),
                 ATOLL_WORDS("r", planes[2]), ATOLL_WORDS("r", planes[3]), "r"(code));
}

}  // namespace atl::cuda
