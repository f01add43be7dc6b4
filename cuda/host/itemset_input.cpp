#include "cuda/host/itemset_input.hpp"

#include <algorithm>
#include <bit>

#include "src/exhaustive/itemsets/ranked_rows.hpp"

namespace atl::cuda {

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
