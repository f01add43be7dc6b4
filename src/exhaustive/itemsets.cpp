#include "src/exhaustive/itemsets.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <utility>

#include "src/exhaustive/closed_itemsets.hpp"
#include "src/exhaustive/itemset_rows.hpp"
#include "src/exhaustive/shared_search.hpp"

namespace atl {

namespace {

/// The whole search.
Branch whole(const TransactionSet& transactions, const ItemsetLimits& limits, bool lists) {
  const std::vector<std::uint32_t>& supports = transactions.supports();
  const bool all = limits.family == ItemsetFamily::all;
  Branch branch{{}, {transactions.size()}, {}, 0, 0};
  std::size_t skipped = 0;
  if (!all || !lists) {
    const auto everywhere =
        static_cast<std::uint32_t>(std::ranges::count(supports, transactions.size()));
    skipped = everywhere;
    (all ? branch.prefix.perfect : branch.prefix.length) = everywhere;
  }
  if (!all) {
    for (std::uint32_t item = 0; item < supports.size(); ++item) {
      if (supports[item] == transactions.size()) branch.items.push_back(item);
    }
  }
  const auto node = std::make_shared<SearchNode>();
  node->rows = ranked_rows(transactions, limits.min_count, skipped);
  if (!all || !node->rows.is_dense()) node->index.set(node->rows, !all);
  branch.end = node->rows.ranks();
  branch.with_prefix =
      branch.prefix.length > 0 && (limits.family == ItemsetFamily::closed || branch.end == 0);
  branch.node = node;
  return branch;
}

template <typename Output>
struct Miners {
  RowMiner<Output> of_all;
  ClosedMiner<Output> of_closed;
  bool all;

  Miners(const ItemsetLimits& limits, Output& output)
      : of_all(limits, output),
        of_closed(limits, output),
        all(limits.family == ItemsetFamily::all) {}
  void mine(const Branch& branch) { all ? of_all.mine(branch) : of_closed.mine(branch); }
};

void list_branch(const Branch& branch, ItemsetSink& sink, ListedItemsets& output,
                 Miners<ListedItemsets>& miners) {
  for (const std::uint32_t item : branch.items) sink.add(item);
  if (branch.with_prefix) found(output, branch.prefix);
  miners.mine(branch);
  for (std::size_t k = 0; k < branch.items.size(); ++k) sink.remove();
}

class Counter final : public SharedSearch::Searcher {
 public:
  Counter(const ItemsetLimits& limits, ItemsetTally& tally, SearchTrail* trail)
      : output_{tally, trail}, miners_(limits, output_) {}
  void search(const Branch& branch) override { miners_.mine(branch); }

 private:
  CountedItemsets output_;
  Miners<CountedItemsets> miners_;
};

class Lister final : public SharedSearch::Searcher {
 public:
  /// @param sets  gets the number of sets added
  Lister(const ItemsetLimits& limits, std::unique_ptr<ItemsetText> text, SearchTrail* trail,
         std::atomic<std::uint64_t>& sets)
      : text_(std::move(text)),
        output_{*text_, limits, trail},
        miners_(limits, output_),
        sets_(sets) {}

  void search(const Branch& branch) override {
    list_branch(branch, *text_, output_, miners_);
    sets_ += text_->finish();
  }

 private:
  std::unique_ptr<ItemsetText> text_;
  ListedItemsets output_;
  Miners<ListedItemsets> miners_;
  std::atomic<std::uint64_t>& sets_;
};

void count(Branch all, const ItemsetLimits& limits, ItemsetTally& tally, ThreadPool& pool,
           const std::stop_token& stop) {
  if (pool.threads() == 1 && !stop.stop_possible())
    return Counter(limits, tally, nullptr).search(all);
  std::vector<std::unique_ptr<ItemsetTally>> tallies;
  SharedSearch search(
      pool,
      [&](SearchTrail& trail, const SharedSearch::Write&) {
        tallies.push_back(std::make_unique<ItemsetTally>());
        return std::make_unique<Counter>(limits, *tallies.back(), &trail);
      },
      nullptr);
  const std::stop_callback stopping(stop, [&] { search.stop(); });
  search.run(std::move(all));
  for (const auto& part : tallies) tally.add(*part);
}

}  // namespace

std::vector<std::uint64_t> asked_lengths(std::vector<std::uint64_t> sets,
                                         const ItemsetLimits& limits) {
  if (sets.size() > limits.max_length) sets.resize(std::size_t{limits.max_length} + 1);
  for (std::size_t length = 0; length < sets.size(); ++length) {
    if (length == 0 || length < limits.min_length) sets[length] = 0;
  }
  while (!sets.empty() && sets.back() == 0) sets.pop_back();
  return sets;
}

std::vector<std::uint64_t> count_itemsets(const TransactionSet& transactions,
                                          const ItemsetLimits& limits, ThreadPool& pool,
                                          const std::stop_token& stop) {
  assert(limits.min_count > 0);
  ItemsetTally tally;
  if (transactions.size() >= limits.min_count) {
    Branch all = whole(transactions, limits, false);
    if (limits.family == ItemsetFamily::all) tally.add(all.prefix.perfect, 0, 1);
    if (all.with_prefix) tally.add(0, all.prefix.length, 1);
    if (limits.max_length > 0) count(std::move(all), limits, tally, pool, stop);
  }
  return asked_lengths(tally.by_length(), limits);
}

void list_itemsets(const TransactionSet& transactions, const ItemsetLimits& limits,
                   ItemsetSink& sink) {
  assert(limits.min_count > 0);
  if (transactions.size() < limits.min_count || limits.max_length == 0) return;
  ListedItemsets output{sink, limits};
  Miners<ListedItemsets> miners(limits, output);
  const Branch all = whole(transactions, limits, true);
  list_branch(all, sink, output, miners);
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
  search.run(whole(transactions, limits, true));
  return sets;
}

}  // namespace atl
