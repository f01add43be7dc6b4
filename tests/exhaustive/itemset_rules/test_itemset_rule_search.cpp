#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/exhaustive/itemset_rules/itemset_rule_search.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

struct FoundRules {
  std::string in_words;
  std::vector<std::uint64_t> both;  ///< transactions with both sides, rule by rule
};

FoundRules rules_of(const ItemsetRuleChoice& choice, ItemsetFamily family = ItemsetFamily::all,
                    std::uint64_t memory = 64 << 20) {
  const TransactionSet transactions = transactions_of(3, {{0, 1, 2}, {0, 1}, {0, 1}, {0, 2}});
  ThreadPool pool(1);
  FoundRules found;
  found.in_words = make_itemset_rules(
      transactions, {.min_count = 2, .family = family}, choice, {}, pool, MemoryLimit(memory),
      [](Severity, const std::string&) {},
      [&](const ItemsetRule& rule) { found.both.push_back(rule.table.n_both); });
  return found;
}

TEST(ItemsetRuleSearch, MakesAllOrTheBest) {
  ItemsetRuleChoice choice;
  EXPECT_EQ(rules_of(choice).in_words, "4 rules");
  EXPECT_EQ(rules_of(choice, ItemsetFamily::closed).in_words, "4 rules");
  choice.sort = Measure::support;
  choice.top = 3;
  const FoundRules best = rules_of(choice);
  EXPECT_EQ(best.in_words, "the best 3 of 4 rules");
  EXPECT_EQ(best.both, (std::vector<std::uint64_t>{3, 3, 2}));
}

}  // namespace
}  // namespace atl::test
