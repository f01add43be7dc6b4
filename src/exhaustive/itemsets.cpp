#include "src/exhaustive/itemsets.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>

#include "src/exhaustive/itemset_rows.hpp"
#include "src/exhaustive/shared_search.hpp"

namespace atl {

namespace {

/// The whole search.
Branch whole(RankedRows rows, const Prefix& empty) {
  const auto node = std::make_shared<SearchNode>();
  node->rows = std::move(rows);
  if (!node->rows.is_dense()) node->index.set(node->rows);
  return {{}, empty, node, 0, node->rows.ranks()};
}

class Counter final : public SharedSearch::Searcher {
 public:
  Counter(const ItemsetLimits& limits, ItemsetTally& tally, SearchTrail* trail)
      : output_{tally, trail}, miner_(limits, output_) {}
  void search(const Branch& branch) override { miner_.mine(branch); }

 private:
  CountedItemsets output_;
  RowMiner<CountedItemsets> miner_;
};

class Lister final : public SharedSearch::Searcher {
 public:
  /// @param sets  gets the number of sets added
  Lister(const ItemsetLimits& limits, std::unique_ptr<ItemsetText> text, SearchTrail* trail,
         std::atomic<std::uint64_t>& sets)
      : text_(std::move(text)),
        output_{*text_, limits, trail},
        miner_(limits, output_),
        sets_(sets) {}

  void search(const Branch& branch) override {
    for (const std::uint32_t item : branch.items) text_->add(item);
    miner_.mine(branch);
    for (std::size_t k = 0; k < branch.items.size(); ++k) text_->remove();
    sets_ += text_->finish();
  }

 private:
  std::unique_ptr<ItemsetText> text_;
  ListedItemsets output_;
  RowMiner<ListedItemsets> miner_;
  std::atomic<std::uint64_t>& sets_;
};

void count(Branch all, const ItemsetLimits& limits, ItemsetTally& tally, ThreadPool& pool) {
  if (pool.threads() == 1) return Counter(limits, tally, nullptr).search(all);
  std::vector<std::unique_ptr<ItemsetTally>> tallies;
  SharedSearch search(
      pool,
      [&](SearchTrail& trail, const SharedSearch::Write&) {
        tallies.push_back(std::make_unique<ItemsetTally>());
        return std::make_unique<Counter>(limits, *tallies.back(), &trail);
      },
      nullptr);
  search.run(std::move(all));
  for (const auto& part : tallies) tally.add(*part);
}

}  // namespace

std::vector<std::uint64_t> count_itemsets(const TransactionSet& transactions,
                                          const ItemsetLimits& limits, ThreadPool& pool) {
  assert(limits.min_count > 0);
  ItemsetTally tally;
  if (transactions.size() >= limits.min_count) {
    const auto everywhere = std::ranges::count(transactions.supports(), transactions.size());
    Prefix empty{transactions.size()};
    empty.perfect = static_cast<std::uint32_t>(everywhere);
    tally.add(empty.perfect, 0, 1);
    RankedRows rows =
        ranked_rows(transactions, limits.min_count, static_cast<std::size_t>(everywhere));
    if (limits.max_length > 0) count(whole(std::move(rows), empty), limits, tally, pool);
  }
  std::vector<std::uint64_t> sets = tally.by_length();
  if (sets.size() > limits.max_length) sets.resize(std::size_t{limits.max_length} + 1);
  for (std::size_t length = 0; length < sets.size(); ++length) {
    if (length == 0 || length < limits.min_length) sets[length] = 0;
  }
  while (!sets.empty() && sets.back() == 0) sets.pop_back();
  return sets;
}

void list_itemsets(const TransactionSet& transactions, const ItemsetLimits& limits,
                   ItemsetSink& sink) {
  assert(limits.min_count > 0);
  if (transactions.size() < limits.min_count || limits.max_length == 0) return;
  ListedItemsets output{sink, limits};
  RankedRows rows = ranked_rows(transactions, limits.min_count, 0);
  RowMiner<ListedItemsets>(limits, output).mine(whole(std::move(rows), {transactions.size()}));
}

std::uint64_t list_itemsets(const TransactionSet& transactions, const ItemsetLimits& limits,
                            const MakeItemsetText& make, const WriteText& write, ThreadPool& pool) {
  assert(limits.min_count > 0);
  if (pool.threads() == 1) {
    const std::unique_ptr<ItemsetText> text = make(write);
    list_itemsets(transactions, limits, *text);
    return text->finish();
  }
  std::atomic<std::uint64_t> sets = 0;
  if (transactions.size() < limits.min_count || limits.max_length == 0) return sets;
  SharedSearch search(
      pool,
      [&](SearchTrail& trail, SharedSearch::Write part) {
        return std::make_unique<Lister>(limits, make(std::move(part)), &trail, sets);
      },
      write);
  RankedRows rows = ranked_rows(transactions, limits.min_count, 0);
  search.run(whole(std::move(rows), {transactions.size()}));
  return sets;
}

}  // namespace atl
