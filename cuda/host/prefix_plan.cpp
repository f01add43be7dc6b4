#include "cuda/host/prefix_plan.hpp"

#include <algorithm>
#include <string>

#include "cuda/host/prefix_format.hpp"
#include "src/core/error.hpp"

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

}  // namespace atl::cuda
