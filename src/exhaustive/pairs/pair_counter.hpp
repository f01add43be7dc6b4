// What counts how often items occur together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "src/core/thread_pool.hpp"
#include "src/exhaustive/pairs/pair_rows.hpp"

namespace atl {

/// A form of the items' sets of transactions, and the way of counting what two have in common.
enum class PairForm : std::uint8_t {
  batmap,   ///< one byte an entry of hash tables, compared place by place (batmap.hpp)
  bitmap,   ///< a bit for each transaction; AND and popcount
  lists,    ///< a counter for each meeting of two items in a transaction (list_counter.hpp)
  product,  ///< the product of bit matrices by tables of sums (bit_product.hpp)
};
inline constexpr std::size_t pair_forms = 4;
const char* to_string(PairForm form) noexcept;

/// Counts a rectangle of the matrix of pairs. All forms and backends count alike.
class PairCounter {
 public:
  virtual ~PairCounter() = default;
  /// Counts the transactions that have both items, for each item of `rows` and each of `columns`
  /// that is more frequent; the counts of others may be anything.
  /// Blocking. Several threads may call it at once.
  /// @param counts  [rows][stride] of which the first columns.size() of each row are overwritten
  /// @param worker  the calling thread's number in the pool that the counter was made with
  /// @pre rows.size() <= rows_at_once(), columns.size() <= stride
  virtual void count(RankRange rows, RankRange columns, std::uint32_t* counts, std::size_t stride,
                     unsigned worker) = 0;
  /// Rows that it counts best together.
  virtual std::uint32_t rows_at_once() const noexcept { return 64; }
};

/// The executable specification: looks at each transaction for each pair. The rows must outlive it.
std::unique_ptr<PairCounter> make_reference_pair_counter(const PairRows& rows);

/// Counts on the cores. Rows and pool must outlive it; the pool's threads prepare it.
/// @param columns  that rectangles reach, from rank 0 on
/// @return null for lists, which count no rectangles (ListCounter)
std::unique_ptr<PairCounter> make_pair_counter(PairForm form, const PairRows& rows,
                                               std::uint32_t columns, ThreadPool& pool);

/// Bytes that the form of so many items takes, beside the rows.
std::uint64_t counter_bytes(PairForm form, const PairRows& rows, std::uint32_t columns) noexcept;

}  // namespace atl
