// The work of a warp on its part of a tile: thread t has words 4t to 4t + 3 of the first half and
// of the second.
#pragma once

#include <cstdint>

#include "cuda/device/device_layout.hpp"
#include "cuda/host/program_format.hpp"

namespace atl::cuda {

/// Words of 32 rows that a thread has of each plane.
inline constexpr int thread_words = 8;

using ThreadWords = std::uint32_t[thread_words];

// Comparisons of planes with a bound, digit by digit of four planes, 256 rows a thread: by a jump
// to the code for the digit. That takes two three-input operations a word, where a step that does
// not know the digit takes four; and the compiler makes a tree of branches of a switch.

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

// Lines for eyes, not for the formatter.
// clang-format off
// Operands: %0-7 the words, %8-15, %16-23 ... the planes from the low one up.
#define ATOLL_LOP(to, high, low, with, table) \
  "lop3.b32 %" #to ", %" #high ", %" #low ", %" #with ", " table ";\n\t"
// Two planes at a time: the first two alone, and then each two with what those below say.
#define ATOLL_LOWEST_PLANES(table) \
  ATOLL_LOP(0, 16, 8, 8, table) ATOLL_LOP(1, 17, 9, 9, table) ATOLL_LOP(2, 18, 10, 10, table) \
  ATOLL_LOP(3, 19, 11, 11, table) ATOLL_LOP(4, 20, 12, 12, table) \
  ATOLL_LOP(5, 21, 13, 13, table) ATOLL_LOP(6, 22, 14, 14, table) \
  ATOLL_LOP(7, 23, 15, 15, table)
#define ATOLL_PLANES_0(table) \
  ATOLL_LOP(0, 16, 8, 0, table) ATOLL_LOP(1, 17, 9, 1, table) ATOLL_LOP(2, 18, 10, 2, table) \
  ATOLL_LOP(3, 19, 11, 3, table) ATOLL_LOP(4, 20, 12, 4, table) ATOLL_LOP(5, 21, 13, 5, table) \
  ATOLL_LOP(6, 22, 14, 6, table) ATOLL_LOP(7, 23, 15, 7, table)
#define ATOLL_PLANES_2(table) \
  ATOLL_LOP(0, 32, 24, 0, table) ATOLL_LOP(1, 33, 25, 1, table) ATOLL_LOP(2, 34, 26, 2, table) \
  ATOLL_LOP(3, 35, 27, 3, table) ATOLL_LOP(4, 36, 28, 4, table) ATOLL_LOP(5, 37, 29, 5, table) \
  ATOLL_LOP(6, 38, 30, 6, table) ATOLL_LOP(7, 39, 31, 7, table)
#define ATOLL_PLANES_4(table) \
  ATOLL_LOP(0, 48, 40, 0, table) ATOLL_LOP(1, 49, 41, 1, table) ATOLL_LOP(2, 50, 42, 2, table) \
  ATOLL_LOP(3, 51, 43, 3, table) ATOLL_LOP(4, 52, 44, 4, table) ATOLL_LOP(5, 53, 45, 5, table) \
  ATOLL_LOP(6, 54, 46, 6, table) ATOLL_LOP(7, 55, 47, 7, table)
#define ATOLL_PLANES_6(table) \
  ATOLL_LOP(0, 64, 56, 0, table) ATOLL_LOP(1, 65, 57, 1, table) ATOLL_LOP(2, 66, 58, 2, table) \
  ATOLL_LOP(3, 67, 59, 3, table) ATOLL_LOP(4, 68, 60, 4, table) ATOLL_LOP(5, 69, 61, 5, table) \
  ATOLL_LOP(6, 70, 62, 6, table) ATOLL_LOP(7, 71, 63, 7, table)

#define ATOLL_CASE(label, code, end) #label ":\n\t" code end
// Sixteen values of a digit, two bits of it in `low`, two in `high`, and how each ends.
#define ATOLL_DIGITS(kind, low, high, end, l0, l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, \
  l11, l12, l13, l14, l15) \
  ATOLL_CASE(l0, low(kind, 0) high(ATOLL_##kind##_0), end) \
  ATOLL_CASE(l1, low(kind, 1) high(ATOLL_##kind##_0), end) \
  ATOLL_CASE(l2, low(kind, 2) high(ATOLL_##kind##_0), end) \
  ATOLL_CASE(l3, low(kind, 3) high(ATOLL_##kind##_0), end) \
  ATOLL_CASE(l4, low(kind, 0) high(ATOLL_##kind##_1), end) \
  ATOLL_CASE(l5, low(kind, 1) high(ATOLL_##kind##_1), end) \
  ATOLL_CASE(l6, low(kind, 2) high(ATOLL_##kind##_1), end) \
  ATOLL_CASE(l7, low(kind, 3) high(ATOLL_##kind##_1), end) \
  ATOLL_CASE(l8, low(kind, 0) high(ATOLL_##kind##_2), end) \
  ATOLL_CASE(l9, low(kind, 1) high(ATOLL_##kind##_2), end) \
  ATOLL_CASE(l10, low(kind, 2) high(ATOLL_##kind##_2), end) \
  ATOLL_CASE(l11, low(kind, 3) high(ATOLL_##kind##_2), end) \
  ATOLL_CASE(l12, low(kind, 0) high(ATOLL_##kind##_3), end) \
  ATOLL_CASE(l13, low(kind, 1) high(ATOLL_##kind##_3), end) \
  ATOLL_CASE(l14, low(kind, 2) high(ATOLL_##kind##_3), end) \
  ATOLL_CASE(l15, low(kind, 3) high(ATOLL_##kind##_3), end)
#define ATOLL_FROM_NOTHING(kind, bits) ATOLL_LOWEST_PLANES(ATOLL_LOWEST_##kind##_##bits)
#define ATOLL_FROM_LOWER(kind, bits) ATOLL_PLANES_0(ATOLL_##kind##_##bits)
#define ATOLL_FROM_DIGIT(kind, bits) ATOLL_PLANES_4(ATOLL_##kind##_##bits)
#define ATOLL_LABELS \
  "D0, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10, D11, D12, D13, D14, D15, D16, D17, D18, D19, " \
  "D20, D21, D22, D23, D24, D25, D26, D27, D28, D29, D30, D31"
#define ATOLL_LABELS_ABOVE \
  "U0, U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16, U17, U18, U19, " \
  "U20, U21, U22, U23, U24, U25, U26, U27, U28, U29, U30, U31"
#define ATOLL_DONE "bra.uni DONE;\n\t"
#define ATOLL_ABOVE "brx.idx.uni %73, ABOVE;\n\t"
// clang-format on
#define ATOLL_WORDS(constraint, w)                                                          \
  constraint(w[0]), constraint(w[1]), constraint(w[2]), constraint(w[3]), constraint(w[4]), \
      constraint(w[5]), constraint(w[6]), constraint(w[7])

// The second jump is at the end of each case of the first: its address is looked up meanwhile.
#define ATOLL_COMPARE(lowest, constraint)                                                          \
  asm volatile("{\n\tLOWER: .branchtargets " ATOLL_LABELS                                          \
               ", DONE;\n\tABOVE: .branchtargets " ATOLL_LABELS_ABOVE                              \
               ";\n\tbrx.idx.uni %72, LOWER;\n\t" ATOLL_DIGITS(                                    \
                   GREATER, lowest, ATOLL_PLANES_2, ATOLL_ABOVE, D0, D1, D2, D3, D4, D5, D6, D7,   \
                   D8, D9, D10, D11, D12, D13, D14, D15)                                           \
                   ATOLL_DIGITS(EQUAL, lowest, ATOLL_PLANES_2, ATOLL_ABOVE, D16, D17, D18, D19,    \
                                D20, D21, D22, D23, D24, D25, D26, D27, D28, D29, D30, D31)        \
                       ATOLL_DIGITS(GREATER, ATOLL_FROM_DIGIT, ATOLL_PLANES_6, ATOLL_DONE, U0, U1, \
                                    U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15)  \
                           ATOLL_DIGITS(EQUAL, ATOLL_FROM_DIGIT, ATOLL_PLANES_6, ATOLL_DONE, U16,  \
                                        U17, U18, U19, U20, U21, U22, U23, U24, U25, U26, U27,     \
                                        U28, U29, U30, U31) "DONE:\n\t}"                           \
               : ATOLL_WORDS(constraint, words)                                                    \
               : ATOLL_WORDS("r", planes[0]), ATOLL_WORDS("r", planes[1]),                         \
                 ATOLL_WORDS("r", planes[2]), ATOLL_WORDS("r", planes[3]),                         \
                 ATOLL_WORDS("r", planes[4]), ATOLL_WORDS("r", planes[5]),                         \
                 ATOLL_WORDS("r", planes[6]), ATOLL_WORDS("r", planes[7]), "r"(low), "r"(high))

/// Compares with two digits, or leaves the words as they are.
/// @param low, high  codes of program_format.hpp, the same in the whole warp
/// @param planes  [8] from the low one up
__device__ __forceinline__ void compare_digits(std::uint32_t low, std::uint32_t high,
                                               const ThreadWords* planes, ThreadWords& words) {
  ATOLL_COMPARE(ATOLL_FROM_NOTHING, "+&r");
}

/// Goes on with two digits: the words hold what the planes below say, and then what they say with
/// these. Operands as of compare_digits().
__device__ __forceinline__ void compare_next_digits(std::uint32_t low, std::uint32_t high,
                                                    const ThreadWords* planes, ThreadWords& words) {
  ATOLL_COMPARE(ATOLL_FROM_LOWER, "+&r");
}

inline constexpr std::uint32_t warp_size = 32;

struct Tile {
  const uint4* planes;  ///< the first, at the thread's first words
  std::uint64_t unit;   ///< of the thread's first words in a plane of all tiles
  std::uint32_t rows;   ///< that exist, from the tile's first on

  __device__ __forceinline__ const uint4* plane(std::uint32_t index) const {
    return planes + std::uint64_t{index} * tile_units;
  }
};

__device__ inline Tile tile_of(const DeviceRows& rows, std::uint32_t number) {
  const std::uint64_t left = rows.rows - std::uint64_t{number} * tile_rows;
  const std::uint32_t lane = threadIdx.x % warp_size;
  return {rows.planes + std::uint64_t{number} * rows.tile_planes * tile_units + lane,
          std::uint64_t{number} * tile_units + lane,
          left < tile_rows ? static_cast<std::uint32_t>(left) : tile_rows};
}

__device__ __forceinline__ void fill(ThreadWords& words, std::uint32_t value) {
#pragma unroll
  for (int w = 0; w < thread_words; ++w) words[w] = value;
}

__device__ __forceinline__ void load(const uint4* from, ThreadWords& words) {
  const uint4 low = from[0];
  const uint4 high = from[warp_size];
  words[0] = low.x, words[1] = low.y, words[2] = low.z, words[3] = low.w;
  words[4] = high.x, words[5] = high.y, words[6] = high.z, words[7] = high.w;
}

__device__ __forceinline__ void store(uint4* to, const ThreadWords& words) {
  to[0] = make_uint4(words[0], words[1], words[2], words[3]);
  to[warp_size] = make_uint4(words[4], words[5], words[6], words[7]);
}

/// Index in the tile of the first row of a thread's word.
__device__ __forceinline__ std::uint32_t first_row_of(std::uint32_t word) {
  return (threadIdx.x % warp_size * 4 + word % 4 + word / 4 * 4 * warp_size) * 32;
}

/// Clears the bits beyond the rows that exist.
__device__ __forceinline__ void clip(ThreadWords& words, std::uint32_t rows) {
  if (rows >= tile_rows) return;
#pragma unroll
  for (std::uint32_t w = 0; w < thread_words; ++w) {
    const int left = static_cast<int>(rows) - static_cast<int>(first_row_of(w));
    words[w] &= left >= 32 ? ~0U : left <= 0 ? 0U : (1U << left) - 1;
  }
}

__device__ __forceinline__ std::uint32_t count(const ThreadWords& words) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int w = 0; w < thread_words; ++w) sum += __popc(words[w]);
  return sum;
}

/// Sums over the lanes, added to memory by one of them.
__device__ __forceinline__ void add_over_lanes(unsigned long long sum, unsigned long long* to) {
  for (int offset = 16; offset != 0; offset /= 2) sum += __shfl_xor_sync(~0U, sum, offset);
  if (threadIdx.x % warp_size == 0 && sum != 0) atomicAdd(to, sum);
}

/// Sums over a warp, added to consecutive counters as many as there are lanes at a time.
class LaneCounts {
 public:
  __device__ explicit LaneCounts(unsigned long long* to) : to_(to) {}
  __device__ void push(std::uint32_t sum) {
    if (threadIdx.x % warp_size == used_) mine_ = sum;
    if (++used_ == warp_size) flush();
  }
  __device__ void flush() {
    if (threadIdx.x % warp_size < used_ && mine_ != 0) {
      atomicAdd(to_ + threadIdx.x % warp_size, static_cast<unsigned long long>(mine_));
    }
    to_ += used_;
    used_ = 0;
  }

 private:
  unsigned long long* to_;
  std::uint32_t used_ = 0;
  std::uint32_t mine_ = 0;
};

/// Calls what(index in the tile) for each row of the words.
template <typename What>
__device__ __forceinline__ void for_each_row(const ThreadWords& words, const What& what) {
  for (std::uint32_t w = 0; w < thread_words; ++w) {
    for (std::uint32_t rows = words[w]; rows != 0; rows &= rows - 1) {
      what(first_row_of(w) + static_cast<std::uint32_t>(__ffs(static_cast<int>(rows))) - 1);
    }
  }
}

}  // namespace atl::cuda
