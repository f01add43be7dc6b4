#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemset_rules/itemset_rule_search.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/pairs/pair_rules.hpp"
#include "src/exhaustive/pairs/pair_search.hpp"
#include "src/rules/itemset_rule.hpp"
#include "src/work/task.hpp"

namespace atl {

/// The rules to make of pairs.
struct PairRulesParts {
  ItemsetRuleChoice choice;
  /// Of the options that change the text alone, such as the measures.
  std::vector<Identity::Mark> marks;
  /// The text of rules whose items have these names.
  std::function<std::unique_ptr<ItemsetRuleText>(const std::vector<std::string>& names, WriteText,
                                                 ItemsetRulePart part)>
      make_text;
};

/// All frequent pairs of items, counted, listed, or as rules. One round. Pieces are ranges of rows
/// of the triangle of pairs, u32 first and end: a row is an item by rank, with all more frequent
/// ones. Text has the order of rows, and within a row that of columns: that of a search for sets of
/// two items. Findings and state are the number of pairs and of rules, and the best rules, where
/// they are sorted.
class PairTask final : public Task {
 public:
  /// @param parts  without counter and rival; limits are of all sets of two items
  PairTask(ItemsetTaskParts parts, ChoosePairMeans choose_means,
           std::optional<PairRulesParts> rules);

  PieceTraits traits() const override;
  void prepare(Worker& worker) override;
  Identity identity() const override;
  std::vector<Piece> pieces(int ranks) override;
  void expect(const Piece& piece) const override;
  std::vector<Piece> split(const Piece& piece, int ranks) const override;
  std::uint64_t amount(const std::vector<Piece>& pieces) const override;
  void merge(std::span<const std::byte> found) override;
  void save(ByteWriter& out) override;
  void load(ByteReader& in) override;
  std::string finish(const WriteText& write) override;
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
            const std::stop_token& stop) override;
  std::optional<std::uint64_t> amount_left() override;

 private:
  /// What some thread has found in some rows.
  struct Found {
    explicit Found(const PairRules& rules) : best(rules) {}
    std::uint64_t pairs = 0, rules = 0;
    BestPairRules best;
    std::string text{};
  };

  bool sorts() const noexcept { return rules_ && rules_->choice.sort; }
  std::uint32_t items() const noexcept { return search_->rows().items(); }
  /// @return rows that were worked on, from `rows.first` to this
  std::uint32_t work_on(RankRange rows, const WriteText& write, Worker& worker,
                        const std::stop_token& stop, Found& all);
  void find(RankRange rows, unsigned worker, Found& found);
  void use(const PairRow& row, ItemsetText* sets, ItemsetRuleText* rules, Found& found) const;

  ItemsetTaskParts parts_;
  ChoosePairMeans choose_means_;
  std::optional<PairRulesParts> rules_;
  ItemsetRuleChoice no_choice_;
  ItemsetLimits limits_;
  std::optional<TransactionSet> transactions_;
  std::unique_ptr<PairSearch> search_;
  std::optional<PairRules> maker_;
  std::atomic<std::uint64_t> pairs_left_ = 0;

  // Merged:
  std::optional<Found> merged_;
};

}  // namespace atl
