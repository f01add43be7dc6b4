// The kernels of Kozawa 2016, section 3.3.3, but for the distributions (thesis_distributions.hpp).
// All launches are asynchronous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace atl::cuda {

/// The items of transactions in the ELL format.
struct EllRows {
  const std::uint32_t* items = nullptr;  ///< [width][rows] of each row some, then `none`
  std::uint32_t rows = 0;
  std::uint32_t width = 0;  ///< the longest transaction
  std::uint32_t none = 0;   ///< stands where a transaction has no more items
};

/// Sets of one length on the device.
struct EllSets {
  const std::uint32_t* items = nullptr;  ///< [sets][length]
  std::uint32_t sets = 0;
  std::uint32_t length = 0;
};

/// Transactions of a block that scans, and of a word of an inclist.
inline constexpr std::uint32_t thesis_word_rows = 32;
/// Shared memory that a block takes to scan rows of this width.
constexpr std::size_t scan_memory(std::uint32_t width) noexcept {
  return std::size_t{width} * thesis_word_rows * sizeof(std::uint32_t);
}
/// Of a block, as the current device has it at most.
std::size_t most_scan_memory();

/// Figure 3.3: looks for each item of each set in each of a block's transactions, one after the
/// other. @param inclists  [sets][words] overwritten
/// @pre scan_memory(rows.width) <= most_scan_memory()
void launch_row_scan(const EllRows& rows, const EllSets& sets, std::uint32_t words,
                     std::uint32_t* inclists, cudaStream_t stream);

/// A thread for each AND of two words.
/// @param parents  [sets][2] inclists of [words] @param inclists  [sets][words] overwritten
void launch_inclist_and(const std::uint32_t* const* parents, std::uint32_t sets,
                        std::uint32_t words, std::uint32_t* inclists, cudaStream_t stream);

/// Inclists of sets, and the transactions' probabilities.
struct Inclists {
  const std::uint32_t* bits = nullptr;  ///< [sets][words]
  std::uint32_t sets = 0;
  std::uint32_t words = 0;
  const double* probabilities = nullptr;  ///< [words * thesis_word_rows]
};

/// cnt(X): map by __popc, reduce. @param counts  [sets] overwritten
void launch_inclist_counts(const Inclists& lists, std::uint32_t* counts, cudaStream_t stream);
/// esup(X): map by decoding a word, reduce.
/// @param find_bits  decodes by Algorithm 3, else by a loop over 32 bits
/// @param sums  [sets] overwritten
void launch_expected_supports(const Inclists& lists, bool find_bits, double* sums,
                              cudaStream_t stream);
/// The filter primitive for inclists. @param kept  [count] their numbers
/// @param out  [count][words] overwritten
void launch_inclist_filter(const Inclists& lists, const std::uint32_t* kept, std::uint32_t count,
                           std::uint32_t* out, cudaStream_t stream);

/// The transactions of one set.
struct SetRows {
  const std::uint32_t* inclist = nullptr;  ///< [(rows + 31) / 32]
  const double* probabilities = nullptr;   ///< [rows]
  std::uint32_t rows = 0;
};

/// Decodes an inclist. @param flags  [words * thesis_word_rows] overwritten by 0 or 1
void launch_flags(const SetRows& set, bool find_bits, std::uint32_t* flags, cudaStream_t stream);
/// Bytes that launch_indexes() works in.
std::size_t index_scratch(std::uint32_t rows);
/// The scan primitive. @param indexes  [rows] overwritten: sums of the flags before
void launch_indexes(void* scratch, std::size_t bytes, const std::uint32_t* flags,
                    std::uint32_t* indexes, std::uint32_t rows, cudaStream_t stream);

/// Writes the distributions of single transactions: of those that have the set, then of none.
/// @param count  transactions that have the set
/// @param leaves  [2^rank][4] overwritten
void launch_filtered_leaves(const SetRows& set, const std::uint32_t* flags,
                            const std::uint32_t* indexes, std::uint32_t count, std::uint32_t rank,
                            double* leaves, cudaStream_t stream);
/// Likewise of all transactions: those that do not have the set never exist.
void launch_all_leaves(const SetRows& set, std::uint32_t rank, double* leaves, cudaStream_t stream);

}  // namespace atl::cuda
