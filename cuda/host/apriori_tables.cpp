#include "cuda/host/apriori_tables.hpp"

namespace atl::cuda {
namespace {

/// Algorithm 1.
std::uint32_t ones_by_remainder(std::uint32_t number) noexcept {
  std::uint32_t count = 0;
  while (number != 0) {
    if (number % 2 == 1) ++count;
    number >>= 1;
  }
  return count;
}

}  // namespace

void AprioriTables::resize(std::uint32_t count) {
  sets = count;
  items.resize(std::size_t{count} * item_columns());
  transactions.resize(std::size_t{count} * transaction_words);
}

AprioriTables tables_of_items(const TransactionSet& transactions,
                              std::span<const std::uint32_t> items) {
  AprioriTables tables;
  tables.item_words = static_cast<std::uint32_t>((items.size() + 31) / 32);
  tables.transaction_words = (transactions.size() + 31) / 32;
  tables.resize(static_cast<std::uint32_t>(items.size()));
  std::vector<std::uint32_t> row(transactions.item_count(), tables.sets);  // none
  for (std::uint32_t s = 0; s < tables.sets; ++s) {
    row[items[s]] = s;
    tables.items[std::size_t{s} * tables.item_columns() + s / 32] |= std::uint32_t{1} << s % 32;
  }
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    for (const std::uint32_t item : transactions.transaction(t)) {
      if (row[item] == tables.sets) continue;
      tables.transactions[std::size_t{row[item]} * tables.transaction_words + t / 32] |=
          std::uint32_t{1} << t % 32;
    }
  }
  return tables;
}

void join_all(const AprioriTables& sets, AprioriTables& out) {
  out.item_words = sets.item_words;
  out.transaction_words = sets.transaction_words;
  out.resize(static_cast<std::uint32_t>(sets.joins()));
  const auto columns = sets.item_columns();
  for (std::uint32_t x = 1, set = 0; x < sets.sets; ++x) {
    for (std::uint32_t y = 0; y < x; ++y, ++set) {
      const std::uint32_t* const items_x = sets.items.data() + std::size_t{x} * columns;
      const std::uint32_t* const items_y = sets.items.data() + std::size_t{y} * columns;
      std::uint32_t* const items = out.items.data() + std::size_t{set} * columns;
      for (std::uint32_t w = 0; w < sets.item_words; ++w) items[w] = items_x[w] | items_y[w];
      items[sets.item_words] = 0;
      const std::size_t words = sets.transaction_words;
      const std::uint32_t* const rows_x = sets.transactions.data() + x * words;
      const std::uint32_t* const rows_y = sets.transactions.data() + y * words;
      std::uint32_t* const rows = out.transactions.data() + set * words;
      for (std::size_t w = 0; w < words; ++w) rows[w] = rows_x[w] & rows_y[w];
    }
  }
}

void count_supports(AprioriTables& sets) {
  const std::uint32_t* word = sets.transactions.data();
  for (std::size_t s = 0; s < sets.sets; ++s) {
    std::uint32_t support = 0;
    for (std::uint32_t w = 0; w < sets.transaction_words; ++w)
      support += ones_by_remainder(*word++);
    sets.items[s * sets.item_columns() + sets.item_words] = support;
  }
}

}  // namespace atl::cuda
