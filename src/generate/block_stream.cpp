#include "src/generate/block_stream.hpp"

#include <utility>

#include "src/core/agreement.hpp"

namespace atl {
namespace {

constexpr std::size_t most_gathered = std::size_t{256} << 20;  // bytes, but at least one block

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

}  // namespace

BlocksAhead::BlocksAhead(const BlockCut& cut, const TableForm& form, ThreadPool& pool,
                         std::uint64_t first, std::uint64_t step, std::uint64_t end)
    : cut_(cut),
      form_(form),
      pool_(pool),
      next_(first),
      step_(step),
      end_(end),
      most_in_work_(2 + 2 * pool.threads() / cut.slices()) {
  begin_more();
}

BlocksAhead::~BlocksAhead() {
  for (const InWork& begun : in_work_) {
    try {
      if (begun.ticket != 0) pool_.wait(begun.ticket);
    } catch (...) {  // another error has ended the work
    }
  }
}

std::optional<Bytes> BlocksAhead::next_below(std::uint64_t before) {
  if (in_work_.empty() || in_work_.front().number >= before) return std::nullopt;
  const ThreadPool::Ticket ticket = std::exchange(in_work_.front().ticket, 0);
  pool_.wait(ticket);
  Bytes bytes = joined(std::move(in_work_.front().block.parts));
  in_work_.pop_front();
  begin_more();
  return bytes;
}

void BlocksAhead::begin_more() {
  for (; in_work_.size() < most_in_work_ && next_ < end_; next_ += step_) {
    InWork& begun = in_work_.emplace_back(InWork{next_});
    Block* const block = &begun.block;
    block->rows = cut_.range(next_);
    block->parts = form_.empty_parts(block->rows.size());
    begun.ticket = pool_.submit(cut_.slices(), [this, block](std::size_t i, unsigned worker) {
      const RowRange slice = slice_range(i, block->rows);
      if (slice.size() > 0) form_.make(slice, worker, *block);
    });
  }
}

void for_own_slices(std::uint64_t rows, const Makers& makers,
                    const std::function<void(RowRange slice, unsigned worker)>& work) {
  const Share own(makers.communicator);
  const BlockCut blocks{rows, block_rows};
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

void stream_blocks(std::uint64_t rows, const TableForm& form, const TakeBlock& take,
                   const Makers& makers) {
  Communicator& communicator = makers.communicator;
  const BlockCut cut{rows, form.rows_of_block()};
  const std::uint64_t blocks = cut.count();
  const Share own(communicator);
  const std::uint64_t at_once =
      std::clamp<std::uint64_t>(most_gathered / form.block_bytes(), 1, own.step);

  std::optional<ThreadPool> pool;
  std::optional<BlocksAhead> made;
  on_all(communicator, [&] {
    pool.emplace(makers.threads);
    made.emplace(cut, form, *pool, own.first, own.step, blocks);
  });
  std::vector<Bytes> arrived;  // on rank 0, by rank
  const auto write = [&](std::uint64_t first) {
    for (std::uint64_t block = first; block < std::min(first + at_once, blocks); ++block) {
      take(arrived[block % own.step], *pool);
    }
    arrived.clear();
  };
  for (std::uint64_t first = 0; first < blocks; first += at_once) {
    Bytes mine;
    on_all(communicator, [&] {
      if (communicator.rank() == 0 && first > 0) write(first - at_once);
      mine = made->next_below(first + at_once).value_or(Bytes());
    });
    arrived = communicator.gather(mine, 0);
  }
  on_root(communicator, [&] { write((blocks - 1) / at_once * at_once); });
}

}  // namespace atl
