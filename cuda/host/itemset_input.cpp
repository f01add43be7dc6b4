#include "cuda/host/itemset_input.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "cuda/host/prefix_format.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl::cuda {
namespace {

/// Larger ones take a block too long while others wait for it.
constexpr std::uint32_t usual_node_items = 20;
constexpr std::uint64_t most_task_bytes = std::uint64_t{1} << 30;
constexpr std::uint64_t most_tally_bytes = std::uint64_t{32} << 20;

}  // namespace

PrefixPlan plan_prefixes(const ItemsetInput& input, std::uint32_t blocks, std::uint64_t memory) {
  PrefixPlan plan;
  plan.task_words = input.word_count() + task_extra;
  const std::uint64_t side = std::uint64_t{input.most_items()} + 1;
  const std::uint64_t tally_bytes = side * side * sizeof(std::uint64_t);
  const std::uint64_t of_tally = std::min(most_tally_bytes, memory / 8);
  plan.tally_copies =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(of_tally / tally_bytes, 1, 64));
  const std::uint64_t fixed = (input.words.size() + input.weights.size()) * sizeof(std::uint32_t) +
                              plan.tally_copies * tally_bytes;
  const std::uint64_t left = memory > fixed ? (memory - fixed) / 2 : 0;

  const auto fitting = [&](std::uint32_t node_items) {
    const std::uint64_t bytes =
        4 * std::max<std::uint64_t>(1, prefix_block_words(input.rows, node_items));
    return std::min<std::uint64_t>(blocks, left / bytes);
  };
  plan.node_items = usual_node_items;
  while (fitting(plan.node_items) < blocks && plan.node_items > table_word_bits + 1) {
    --plan.node_items;
  }
  plan.blocks = static_cast<std::uint32_t>(fitting(plan.node_items));

  const std::uint64_t task_bytes = 4 * plan.task_words;
  const std::uint64_t each = prefix_new_tasks(input.items);
  plan.tasks = std::min(left / 2, most_task_bytes) / task_bytes / (each + 1);
  plan.new_tasks = plan.tasks * each;
  if (plan.blocks == 0 || plan.tasks == 0) {
    throw BackendUnavailable("cuda", "a search among " + std::to_string(input.rows) +
                                         " transactions does not fit " + std::to_string(memory) +
                                         " bytes of a GPU");
  }
  return plan;
}

std::vector<std::uint32_t> ItemsetInput::first_task() const {
  std::vector<std::uint32_t> task(word_count(), 0);
  task.push_back(everywhere);
  task.push_back(transactions);
  return task;
}

std::vector<std::uint32_t> ItemsetInput::item_tasks(std::uint32_t first, std::uint32_t end) const {
  std::vector<std::uint32_t> tasks;
  for (std::uint32_t item = first; item < end; ++item) {
    for (std::uint32_t w = 0; w < word_count(); ++w) {
      tasks.push_back(w == item / 32 ? std::uint32_t{1} << item % 32 : 0);
    }
    tasks.push_back(everywhere);
    tasks.push_back(supports[item]);
  }
  return tasks;
}

ItemsetInput itemset_input(const TransactionSet& transactions, std::uint64_t min_count) {
  ItemsetInput input;
  input.transactions = transactions.size();
  input.everywhere =
      static_cast<std::uint32_t>(std::ranges::count(transactions.supports(), transactions.size()));
  const RankedRows ranked = ranked_rows(transactions, min_count, input.everywhere);
  input.rows = static_cast<std::uint32_t>(ranked.rows());
  input.items = static_cast<std::uint32_t>(ranked.ranks());
  input.weights = ranked.weights;
  input.supports = ranked.supports;
  for (const std::uint32_t weight : input.weights) {
    input.weight_bits =
        std::max(input.weight_bits, static_cast<std::uint32_t>(std::bit_width(weight)));
  }
  input.words.resize(std::size_t{input.word_count()} * input.rows);
  for (std::size_t r = 0; r < ranked.rows(); ++r) {
    for (std::uint32_t k = ranked.starts[r]; k < ranked.starts[r + 1]; ++k) {
      const std::uint32_t item = ranked.entries[k];
      input.words[item / 32 * ranked.rows() + r] |= std::uint32_t{1} << item % 32;
    }
  }
  return input;
}

ItemsetTally tally_of(std::span<const unsigned long long> sets, const ItemsetInput& input) {
  const std::size_t side = std::size_t{input.most_items()} + 1;
  ItemsetTally tally;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    if (sets[k] != 0) tally.add(k / side % side, k % side, sets[k]);
  }
  return tally;
}

}  // namespace atl::cuda
