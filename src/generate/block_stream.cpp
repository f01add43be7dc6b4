#include "src/generate/block_stream.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "src/core/agreement.hpp"

namespace atl {
namespace {

constexpr std::size_t most_gathered = std::size_t{256} << 20;  // bytes, but at least one block

/// Cuts rows into blocks.
struct Blocks {
  std::uint64_t rows;
  std::uint64_t rows_of_block;

  std::uint64_t count() const noexcept {
    return rows / rows_of_block + (rows % rows_of_block == 0 ? 0 : 1);
  }
  RowRange range(std::uint64_t block) const noexcept {
    return {block * rows_of_block, std::min((block + 1) * rows_of_block, rows)};
  }
  std::uint64_t slices() const noexcept { return rows_of_block / slice_rows; }  ///< of a block
};

/// The index-th slice of a block; empty behind a short block's end.
RowRange slice_range(std::uint64_t index, const RowRange& block) {
  const std::uint64_t first = block.first + index * slice_rows;
  return {std::min(first, block.last), std::min(first + slice_rows, block.last)};
}

/// Blocks are dealt to ranks one by one.
struct Share {
  explicit Share(const Communicator& communicator)
      : first(static_cast<std::uint64_t>(communicator.rank())),
        step(static_cast<std::uint64_t>(communicator.size())) {}
  std::uint64_t first, step;
};

Bytes joined(std::vector<Bytes> parts) {
  if (parts.size() == 1) return std::move(parts.front());
  std::size_t size = 0;
  for (const Bytes& part : parts) size += part.size();
  Bytes all;
  all.reserve(size);
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The blocks of a rank in order. Threads make the next ones while one is written.
class OwnBlocks {
 public:
  OwnBlocks(const Blocks& blocks, const TableForm& form, const Makers& makers)
      : blocks_(blocks),
        form_(form),
        next_(makers.communicator),
        most_in_work_(2 + 2 * makers.threads / blocks.slices()),
        pool_(makers.threads) {
    begin_more();
  }

  ThreadPool& pool() noexcept { return pool_; }

  /// Empty if the rank's next block is not below `end`.
  Bytes next_below(std::uint64_t end) {
    if (in_work_.empty() || in_work_.front().number >= end) return {};
    pool_.wait(in_work_.front().ticket);
    Bytes bytes = joined(std::move(in_work_.front().block.parts));
    in_work_.pop_front();
    begin_more();
    return bytes;
  }

 private:
  struct InWork {
    std::uint64_t number = 0;
    Block block = {};
    ThreadPool::Ticket ticket = 0;
  };

  void begin_more() {
    for (; in_work_.size() < most_in_work_ && next_.first < blocks_.count();
         next_.first += next_.step) {
      InWork& begun = in_work_.emplace_back(InWork{next_.first});
      Block* const block = &begun.block;
      block->rows = blocks_.range(next_.first);
      block->parts = form_.empty_parts(block->rows.size());
      begun.ticket = pool_.submit(blocks_.slices(), [this, block](std::size_t i, unsigned worker) {
        const RowRange slice = slice_range(i, block->rows);
        if (slice.size() > 0) form_.make(slice, worker, *block);
      });
    }
  }

  const Blocks blocks_;
  const TableForm& form_;
  Share next_;
  std::size_t most_in_work_;    // blocks, with two slices or more for each thread
  std::deque<InWork> in_work_;  // its elements stay where they are
  ThreadPool pool_;             // ends first: its threads write into what is in work
};

}  // namespace

void for_own_slices(std::uint64_t rows, const Makers& makers,
                    const std::function<void(RowRange slice, unsigned worker)>& work) {
  const Share own(makers.communicator);
  const Blocks blocks{rows, block_rows};
  const std::uint64_t count = blocks.count(), slices = blocks.slices();
  const std::uint64_t own_blocks = own.first < count ? (count - own.first - 1) / own.step + 1 : 0;
  on_all(makers.communicator, [&] {
    ThreadPool pool(makers.threads);
    pool.wait(pool.submit(own_blocks * slices, [&](std::size_t i, unsigned worker) {
      const std::uint64_t block = own.first + i / slices * own.step;
      const RowRange slice = slice_range(i % slices, blocks.range(block));
      if (slice.size() > 0) work(slice, worker);
    }));
  });
}

void stream_blocks(std::uint64_t rows, TableForm& form, const Makers& makers) {
  Communicator& communicator = makers.communicator;
  const Blocks cut{rows, form.rows_of_block()};
  const std::uint64_t blocks = cut.count();
  const Share own(communicator);
  const std::uint64_t at_once =
      std::clamp<std::uint64_t>(most_gathered / form.block_bytes(), 1, own.step);

  std::optional<OwnBlocks> made;
  on_all(communicator, [&] { made.emplace(cut, form, makers); });
  std::vector<Bytes> arrived;  // on rank 0, by rank
  const auto write = [&](std::uint64_t first) {
    for (std::uint64_t block = first; block < std::min(first + at_once, blocks); ++block) {
      form.write(arrived[block % own.step], made->pool());
    }
    arrived.clear();
  };
  for (std::uint64_t first = 0; first < blocks; first += at_once) {
    Bytes mine;
    on_all(communicator, [&] {
      if (communicator.rank() == 0 && first > 0) write(first - at_once);
      mine = made->next_below(first + at_once);
    });
    arrived = communicator.gather(mine, 0);
  }
  on_root(communicator, [&] { write((blocks - 1) / at_once * at_once); });
}

}  // namespace atl
