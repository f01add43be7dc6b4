// The rows of a table, made in blocks on the threads of all ranks and written in order by rank 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/attribute.hpp"

namespace atl {

/// A table whose rows are computed, each from its index alone: the first rows of a longer table are
/// the shorter one, and rows can be made twice instead of being kept.
class RowSource {
 public:
  virtual ~RowSource() = default;

  /// All that can occur: dictionaries complete, numeric low = high, has_missing set; counts empty.
  std::span<const Attribute> attributes() const noexcept { return attributes_; }

  /// @param codes  [attributes] overwritten; missing_code where there is no value
  virtual void make_row(std::uint64_t row, std::span<std::uint32_t> codes) const = 0;

 protected:
  std::vector<Attribute> attributes_;
};

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

/// Cuts rows into blocks.
struct BlockCut {
  std::uint64_t rows = 0;
  std::uint64_t rows_of_block = block_rows;

  std::uint64_t count() const noexcept {
    return rows / rows_of_block + (rows % rows_of_block == 0 ? 0 : 1);
  }
  RowRange range(std::uint64_t block) const noexcept {
    return {block * rows_of_block, std::min((block + 1) * rows_of_block, rows)};
  }
  std::uint64_t slices() const noexcept { return rows_of_block / slice_rows; }  ///< of a block
};

/// The form in which blocks are made.
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
};

/// Blocks in order, each some behind the one before it. Threads make the next ones while one is
/// used.
class BlocksAhead {
 public:
  /// @param first, step, end  numbers of blocks
  BlocksAhead(const BlockCut& cut, const TableForm& form, ThreadPool& pool, std::uint64_t first,
              std::uint64_t step, std::uint64_t end);
  ~BlocksAhead();  ///< waits for the threads that write into blocks
  BlocksAhead(const BlocksAhead&) = delete;
  BlocksAhead& operator=(const BlocksAhead&) = delete;

  /// None if the next one is not below `before`, or there is none.
  std::optional<Bytes> next_below(std::uint64_t before);
  /// Begins no more blocks: those that have been begun still come.
  void stop() noexcept { end_ = next_; }
  /// The first block that was not begun.
  std::uint64_t next() const noexcept { return next_; }

 private:
  struct InWork {
    std::uint64_t number = 0;
    Block block = {};
    ThreadPool::Ticket ticket = 0;
  };

  void begin_more();

  const BlockCut cut_;
  const TableForm& form_;
  ThreadPool& pool_;
  std::uint64_t next_, step_, end_;
  std::size_t most_in_work_;    // blocks, with two slices or more for each thread
  std::deque<InWork> in_work_;  // its elements stay where they are
};

/// Runs the work on each slice of the blocks that are this rank's, in any order. Collective.
/// @throws what it threw on a rank, on all ranks
void for_own_slices(std::uint64_t rows, const Makers& makers,
                    const std::function<void(RowRange slice, unsigned worker)>& work);

/// Takes the next block of a table; may use the pool.
using TakeBlock = std::function<void(const Bytes& block, ThreadPool& pool)>;

/// Makes all blocks and has rank 0 take them. No rank holds more than a few blocks of its own, and
/// rank 0 one of each rank. Collective.
/// @throws what the form or `take` threw on a rank, on all ranks
void stream_blocks(std::uint64_t rows, const TableForm& form, const TakeBlock& take,
                   const Makers& makers);

}  // namespace atl
