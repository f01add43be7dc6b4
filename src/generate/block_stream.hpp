// The rows of a table, made in blocks on the threads of all ranks and written in order by rank 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

/// Rows of a block, which one rank makes, at most: a partition of a dataset file.
inline constexpr std::uint32_t block_rows = 65536;
/// Rows of a slice, which one thread makes. A multiple of 64, so that no word of a plane belongs to
/// two slices.
inline constexpr std::uint32_t slice_rows = 1024;

/// The makers of the rows: every rank, each on so many threads.
struct Makers {
  Communicator& communicator;
  unsigned threads = 1;  ///< of this rank
};

struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  ///< the one after it

  std::uint64_t size() const noexcept { return last - first; }
};

/// A block of rows. Its bytes are those of its parts, one after the other.
struct Block {
  RowRange rows;
  std::vector<Bytes> parts;
};

/// The form in which a table is written.
class TableForm {
 public:
  virtual ~TableForm() = default;

  /// A multiple of slice_rows.
  virtual std::uint32_t rows_of_block() const { return block_rows; }
  /// Bytes of a block, roughly.
  virtual std::size_t block_bytes() const = 0;
  /// The parts of a block of which no slice is made yet.
  virtual std::vector<Bytes> empty_parts(std::uint64_t rows) const = 0;
  /// Makes a slice of the block, while other threads make others. The worker's number is below
  /// the threads of this rank; two calls at once have different ones.
  virtual void make(RowRange slice, unsigned worker, Block& block) const = 0;
  /// Takes the next block of the table. On rank 0 alone; may use the pool.
  virtual void write(const Bytes& block, ThreadPool& pool) = 0;
};

/// Runs the work on each slice of the blocks that are this rank's, in any order. Collective.
/// @throws what it threw on a rank, on all ranks
void for_own_slices(std::uint64_t rows, const Makers& makers,
                    const std::function<void(RowRange slice, unsigned worker)>& work);

/// Makes all blocks and has rank 0 write them. No rank holds more than a few blocks of its own, and
/// rank 0 one of each rank. Collective.
/// @throws what the form threw on a rank, on all ranks
void stream_blocks(std::uint64_t rows, TableForm& form, const Makers& makers);

}  // namespace atl
