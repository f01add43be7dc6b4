// The search for frequent itemsets of a device, by one block on the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cuda/host/itemset_input.hpp"
#include "cuda/itemsets/prefix_block.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "tests/cuda/host_block.hpp"

namespace atl::cuda {

struct HostSearch {
  std::vector<std::uint64_t> sets;  ///< by length
  ItemsetTally tally;
  PrefixWork work{};
  std::uint64_t tasks = 0;
};

/// @param node_items  above which a node becomes tasks
/// @param first  tasks to begin with, of the input
inline HostSearch search_on_host(const ItemsetInput& input, const ItemsetLimits& limits,
                                 std::uint32_t node_items, std::vector<std::uint32_t> first) {
  HostSearch search;
  const std::uint32_t side = input.most_items() + 1;
  std::vector<unsigned long long> sets(std::size_t{2} * side * side, 0);
  std::vector<std::uint32_t> memory(prefix_block_words(input.rows, node_items));
  const std::uint32_t task_words = input.word_count() + task_extra;
  std::vector<std::uint32_t> tasks = std::move(first), made;
  PrefixShared shared{};
  for (std::uint32_t number = 0; !tasks.empty(); number = 1 - number) {
    const auto count = static_cast<std::uint32_t>(tasks.size() / task_words);
    made.assign(std::size_t{count} * prefix_new_tasks(input.items) * task_words, 0);
    std::uint32_t taken = 0, made_count = 0;
    PrefixLaunch launch{{input.words.data(), input.weights.data(), input.rows, input.word_count(),
                         input.items, input.weight_bits},
                        static_cast<std::uint32_t>(limits.min_count),
                        limits.max_length,
                        node_items,
                        tasks.data(),
                        count,
                        made.data(),
                        &made_count,
                        &taken,
                        {sets.data(), 2, side - 1},
                        &search.work,
                        memory.data(),
                        0,
                        prefix_block_rows(input.rows, node_items)};
    HostBlock block;
    PrefixBlock<HostBlock>(launch, shared, block, number).run();
    search.tasks += count;
    made.resize(std::size_t{made_count} * task_words);
    tasks.swap(made);
  }
  search.tally = tally_of(sets, input);
  search.sets = asked_lengths(search.tally.by_length(), limits);
  return search;
}

inline HostSearch search_on_host(const TransactionSet& transactions, const ItemsetLimits& limits,
                                 std::uint32_t node_items) {
  const ItemsetInput input = itemset_input(transactions, limits.min_count);
  return search_on_host(input, limits, node_items, input.first_task());
}

}  // namespace atl::cuda
