// The search for frequent itemsets by a block. Templates as in set_table.hpp.
#pragma once

#include <cstdint>

#include "cuda/itemsets/prefix_descent.hpp"
#include "cuda/itemsets/prefix_memory.hpp"
#include "cuda/itemsets/prefix_tables.hpp"
#include "src/core/host_device.hpp"

namespace atl::cuda {

template <class Block>
class PrefixBlock {
 public:
  using Value = typename Block::Value;

  /// @param number  of the block in the launch
  ATOLL_HOST_DEVICE PrefixBlock(const PrefixLaunch& launch, PrefixShared& shared, Block& block,
                                std::uint32_t number)
      : launch_(launch),
        shared_(shared),
        block_(block),
        tables_(launch, shared, block, launch.tally.of_block(number)),
        masks_(launch.memory + launch.block_words * number),
        weights_(masks_ + launch.block_rows),
        list_(weights_ + launch.block_rows),
        descent_(launch, shared, block, tables_, masks_, weights_) {}

  ATOLL_HOST_DEVICE void run() {
    block_.each_warp([&](std::uint32_t warp) {
      const Value first = Block::lane() + warp * warp_lanes;
      for (std::uint32_t w = 0; w < 1U << table_word_bits; w += warp_lanes * block_warps) {
        Block::store(shared_.table, first + w, Block::constant(0), Block::all());
      }
      Block::store(shared_.bins, first, Block::constant(0), first < 16U);
    });
    while (true) {
      block_.leader([&] {
        shared_.task = Block::take_many(launch_.taken, 1);
        shared_.found[0] = shared_.found[1] = 0;
      });
      block_.sync();
      if (shared_.task >= launch_.task_count) break;
      run_task();
      block_.sync();
    }
    block_.leader([&] { Block::add_work(*launch_.work, tables_.work); });
  }

 private:
  ATOLL_HOST_DEVICE void run_task() {
    const std::uint32_t words = launch_.rows.word_count;
    const std::uint32_t* const task =
        launch_.tasks + std::uint64_t{shared_.task} * (words + task_extra);
    block_.each_warp([&](std::uint32_t warp) {
      for (std::uint32_t w = warp; w < words; w += block_warps) {
        Block::store(shared_.counts, Block::lane() + w * warp_lanes, Block::constant(0),
                     Block::all());
      }
      const Value lane = Block::lane();
      if (warp == 0) {
        Block::store(shared_.prefix, lane, Block::load(task, lane, lane < words), lane < words);
      }
    });
    std::uint32_t length = 0, end = launch_.rows.items;
    for (std::uint32_t w = words; w-- > 0;) {
      const std::uint32_t bits = shared_.prefix[w];
      length += Block::ones_of(bits);
      if (bits != 0) end = w * 32 + Block::ones_of((bits - 1) & ~bits);
    }
    find_rows();
    const std::uint32_t rows = shared_.found[0];
    count_items(rows, end);
    const std::uint32_t support = task[words + 1];
    if (length < launch_.max_length) {
      choose_items(end, support);
    } else {
      block_.leader([&] { shared_.items = 0; });
      block_.sync();
    }
    const std::uint32_t items = shared_.items;
    std::uint32_t perfect = task[words];
    for (std::uint32_t w = 0; w < words && length < launch_.max_length; ++w) {
      perfect += Block::ones_of(shared_.perfect[w]);
    }
    block_.each_warp([&](std::uint32_t warp) {
      if (warp == 0) {
        tables_.tally(perfect, length, Block::constant(0), Block::constant(1), Block::lane() == 0U);
      }
    });
    tables_.work.nodes += 1;
    if (items == 0) return;
    const std::uint32_t in_table = tables_.table_items(items, support);
    const bool large = items > launch_.node_items;
    join_items(rows, large ? in_table : items, in_table, support);
    block_.leader([&] {
      descent_.set_node(shared_.nodes[0], 0, shared_.found[1], items, length, perfect, support);
      shared_.found[0] = 0;
    });
    tables_.count(in_table, length, perfect, support);
    if (large) {
      hand_out(task[words], in_table, items);
    } else {
      descent_.search();
    }
  }

  /// The rows with all items of the prefix: their numbers in list_.
  ATOLL_HOST_DEVICE void find_rows() {
    const PrefixRows& rows = launch_.rows;
    block_.each_warp([&](std::uint32_t warp) {
      for (std::uint32_t first = warp * warp_lanes; first < rows.rows;
           first += warp_lanes * block_warps) {
        const Value row = Block::lane() + first;
        Value has = row < rows.rows;
        for (std::uint32_t w = 0; w < rows.word_count; ++w) {
          const std::uint32_t bits = shared_.prefix[w];
          if (bits == 0) continue;
          const Value word = Block::load(rows.words + std::uint64_t{w} * rows.rows, row, has);
          has = has & ((word & bits) == bits);
        }
        append<Block>(has, &shared_.found[0], [&](Value at) { Block::store(list_, at, row, has); });
      }
    });
  }

  /// Transactions with each item of lower rank than `end`.
  ATOLL_HOST_DEVICE void count_items(std::uint32_t rows, std::uint32_t end) {
    const PrefixRows& all = launch_.rows;
    block_.each_warp([&](std::uint32_t warp) {
      for (std::uint32_t w = 0; w < (end + 31) / 32; ++w) {
        Value sum = Block::constant(0);
        for (std::uint32_t first = warp * warp_lanes; first < rows;
             first += warp_lanes * block_warps) {
          const Value at = Block::lane() + first;
          const Value active = at < rows;
          const Value row = Block::load(list_, at, active);
          const Value weight = Block::load(all.weights, row, active);
          const Value word = Block::load(all.words + std::uint64_t{w} * all.rows, row, active);
          sum = sum + weighed<Block>(transposed<Block>(word), weight, all.weight_bits);
        }
        Block::add(shared_.counts, Block::lane() + w * warp_lanes, sum, sum > 0U);
      }
    });
    tables_.work.words +=
        std::uint64_t{(rows + 31) / 32} * ((end + 31) / 32) * 32 * all.weight_bits;
  }

  /// The frequent ones that not all transactions of the prefix have.
  ATOLL_HOST_DEVICE void choose_items(std::uint32_t end, std::uint32_t support) {
    block_.each_warp([&](std::uint32_t warp) {
      if (warp != 0) return;
      std::uint32_t items = 0;
      for (std::uint32_t w = 0; w < launch_.rows.word_count; ++w) {
        const Value rank = Block::lane() + w * warp_lanes;
        const Value count = Block::load(shared_.counts, rank, Block::all());
        const Value frequent = (rank < end) & (count >= launch_.min_count);
        const std::uint32_t all = Block::ballot(frequent & (count == support));
        const std::uint32_t some = Block::ballot(frequent & (count != support));
        Block::store(shared_.names, Block::ones(lanes_below<Block>() & some) + items, rank,
                     (Block::constant(some) >> Block::lane()) & 1);
        Block::store(shared_.perfect, Block::constant(w), Block::constant(all),
                     Block::lane() == 0U);
        items += Block::ones_of(some);
      }
      Block::store(&shared_.items, Block::constant(0), Block::constant(items), Block::lane() == 0U);
    });
  }

  /// The rows by the first `kept` of the chosen items, from the start of the block's memory, and in
  /// the table.
  ATOLL_HOST_DEVICE void join_items(std::uint32_t rows, std::uint32_t kept, std::uint32_t in_table,
                                    std::uint32_t support) {
    const PrefixRows& all = launch_.rows;
    block_.each_warp([&](std::uint32_t warp) {
      const Value lane = Block::lane();
      const Value name = Block::load(shared_.names, lane, lane < kept);
      const std::uint32_t last = shared_.names[kept - 1] / 32;
      for (std::uint32_t first = warp * warp_lanes; first < rows;
           first += warp_lanes * block_warps) {
        const Value at = lane + first;
        const Value active = at < rows;
        const Value row = Block::load(list_, at, active);
        const Value weight = Block::load(all.weights, row, active);
        Value column = Block::constant(0);
        for (std::uint32_t w = 0; w <= last; ++w) {
          const Value word = Block::load(all.words + std::uint64_t{w} * all.rows, row, active);
          const Value there = Block::shuffle(transposed<Block>(word), name & 31);
          column = Block::select((lane < kept) & ((name >> 5) == w), there, column);
        }
        const Value mask = transposed<Block>(column);
        tables_.add(mask, weight, in_table, support);
        append<Block>(mask != 0U, &shared_.found[1], [&](Value to) {
          Block::store(masks_, to, mask, mask != 0U);
          Block::store(weights_, to, weight, mask != 0U);
        });
      }
      if (warp == 0) {
        const Value count = Block::load(shared_.counts, name, lane < kept);
        Block::store(shared_.nodes[0].supports, lane, count, lane < kept);
      }
    });
  }

  /// A task for each item from `first` on.
  ATOLL_HOST_DEVICE void hand_out(std::uint32_t perfect, std::uint32_t first, std::uint32_t items) {
    const std::uint32_t words = launch_.rows.word_count;
    block_.leader([&] { shared_.first_new = Block::take_many(launch_.new_count, items - first); });
    block_.sync();
    block_.each_warp([&](std::uint32_t warp) {
      for (std::uint32_t k = first + warp; k < items; k += block_warps) {
        std::uint32_t* const task =
            launch_.new_tasks + std::uint64_t{shared_.first_new + k - first} * (words + task_extra);
        const std::uint32_t name = shared_.names[k];
        const Value lane = Block::lane();
        const Value bits = Block::load(shared_.prefix, lane, lane < words);
        const Value own =
            Block::select(lane == name / 32, Block::constant(1U << name % 32), Block::constant(0));
        Block::store(task, lane, bits | own, lane < words);
        std::uint32_t more = perfect;  // of higher rank than the item
        for (std::uint32_t w = name / 32; w < words; ++w) {
          const std::uint32_t above = w > name / 32 ? ~0U : ~(2 * (1U << name % 32) - 1);
          more += Block::ones_of(shared_.perfect[w] & above);
        }
        Block::store(task, Block::constant(words), Block::constant(more), lane == 0U);
        Block::store(task, Block::constant(words + 1), Block::constant(shared_.counts[name]),
                     lane == 0U);
      }
    });
  }

  const PrefixLaunch& launch_;
  PrefixShared& shared_;
  Block& block_;
  PrefixTables<Block> tables_;
  std::uint32_t *const masks_, *const weights_, *const list_;
  PrefixDescent<Block> descent_;
};

}  // namespace atl::cuda
