#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/exhaustive/itemset_rules/itemset_rules.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "src/measures/measures.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {
namespace {

using ItemList = std::vector<std::uint32_t>;
using RuleSides = std::pair<ItemList, ItemList>;  // ascending

std::uint64_t support_of(const ItemLists& lists, const ItemList& items) {
  return static_cast<std::uint64_t>(
      std::count_if(lists.begin(), lists.end(), [&](const ItemList& l) {
        return std::includes(l.begin(), l.end(), items.begin(), items.end());
      }));
}

/// All rules by the definition: each frequent set split into two sides in every way.
std::map<RuleSides, ContingencyTable> expected_rules(const ItemLists& lists, const Supports& sets,
                                                     const ItemsetRuleLimits& limits) {
  std::map<RuleSides, ContingencyTable> rules;
  for (const auto& [set, support] : sets) {
    if (set.size() < std::max(limits.min_length, 2U)) continue;
    for (std::uint32_t m = 1; m + 1 < 1U << set.size(); ++m) {
      RuleSides sides;
      for (std::size_t i = 0; i < set.size(); ++i) {
        ((m >> i & 1) != 0 ? sides.second : sides.first).push_back(set[i]);
      }
      if (sides.second.size() > limits.max_consequent) continue;
      ContingencyTable table;
      table.n = lists.size();
      table.n_antecedent = support_of(lists, sides.first);
      table.n_consequent = support_of(lists, sides.second);
      table.n_both = support;
      const double confidence =
          static_cast<double>(table.n_both) / static_cast<double>(table.n_antecedent);
      if (confidence >= limits.min_confidence) rules.emplace(sides, table);
    }
  }
  return rules;
}

ItemsetTree tree_of(const TransactionSet& transactions, const ItemsetLimits& limits) {
  ItemsetTree tree(transactions.item_count(), 0);
  list_itemsets(transactions, limits, tree);
  return tree;
}

ItemList ascending(std::span<const std::uint32_t> items) {
  ItemList sorted(items.begin(), items.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

void expect_exact(const ItemLists& lists, std::uint32_t items, std::uint64_t min_count,
                  const ItemsetRuleLimits& limits) {
  const TransactionSet transactions = transactions_of(items, lists);
  const auto expected = expected_rules(lists, frequent_sets(transactions, min_count), limits);
  std::map<RuleSides, ContingencyTable> found;
  std::size_t calls = 0;
  for_each_rule(tree_of(transactions, {.min_count = min_count}), transactions.size(), limits,
                [&](const ItemsetRule& rule) {
                  ++calls;
                  found.emplace(RuleSides{ascending(rule.antecedent), ascending(rule.consequent)},
                                rule.table);
                });
  RC_ASSERT(calls == found.size());  // none twice
  RC_ASSERT(found == expected);
}

TEST(ItemsetRules, AreAllThatTheDefinitionGives) {
  EXPECT_TRUE(rc::check([] {
    const auto items = *rc::gen::inRange<std::uint32_t>(1, 13);
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    RandomStream draw({.seed = seed});
    std::vector<double> chance(items);
    for (double& c : chance) c = draw.next_double();
    const auto count = *rc::gen::inRange<std::size_t>(1, 40);
    const ItemLists lists = random_lists(draw, count, chance);
    const ItemsetRuleLimits limits{.min_confidence = *rc::gen::inRange(0, 11) / 10.0,
                                   .min_length = *rc::gen::inRange<std::uint32_t>(1, 5),
                                   .max_consequent = *rc::gen::inRange<std::uint32_t>(1, 5)};
    expect_exact(lists, items, *rc::gen::inRange<std::uint64_t>(1, 10), limits);
  }));
}

struct Drawn {
  ItemLists lists;
  TransactionSet transactions;
};

Drawn drawn() {
  RandomStream draw({.seed = *rc::gen::arbitrary<std::uint32_t>()});
  std::vector<double> chance(*rc::gen::inRange<std::uint32_t>(1, 11));
  for (double& c : chance) c = draw.below(5) == 0 ? 1 : draw.next_double();
  ItemLists lists = random_lists(draw, *rc::gen::inRange<std::size_t>(1, 40), chance);
  for (ItemList& list : lists) {  // some items imply others, so that few sets are closed
    if (list.size() > 1 && list.front() == 0 && list[1] != 1 && chance.size() > 1) {
      list.insert(list.begin() + 1, 1);
    }
  }
  TransactionSet transactions = transactions_of(static_cast<std::uint32_t>(chance.size()), lists);
  return {std::move(lists), std::move(transactions)};
}

TEST(ClosedItemsetRules, AreThoseOfClosedSets) {
  EXPECT_TRUE(rc::check([] {
    const Drawn data = drawn();
    const ItemsetRuleLimits limits{.min_confidence = *rc::gen::inRange(0, 11) / 10.0,
                                   .min_length = *rc::gen::inRange<std::uint32_t>(1, 5),
                                   .max_consequent = *rc::gen::inRange<std::uint32_t>(1, 5)};
    const ItemsetLimits sets{.min_count = *rc::gen::inRange<std::uint64_t>(1, 10),
                             .max_length = *rc::gen::inRange<std::uint32_t>(2, 12)};
    const auto closed = of_asked_lengths(
        only(ItemsetFamily::closed, frequent_sets(data.transactions, sets.min_count)), sets);
    std::map<RuleSides, ContingencyTable> found;
    std::size_t calls = 0;
    for_each_closed_rule(data.transactions, sets, limits, [&](const ItemsetRule& rule) {
      ++calls;
      found.emplace(RuleSides{ascending(rule.antecedent), ascending(rule.consequent)}, rule.table);
    });
    RC_ASSERT(calls == found.size());
    RC_ASSERT(found == expected_rules(data.lists, closed, limits));
  }));
}

TEST(ClosedItemsetRules, StandForAllOthers) {
  EXPECT_TRUE(rc::check([] {
    const Drawn data = drawn();
    const std::uint64_t min_count = *rc::gen::inRange<std::uint64_t>(1, 10);
    const ItemsetRuleLimits limits{.max_consequent = 12};
    std::map<RuleSides, ContingencyTable> closed;
    for_each_closed_rule(
        data.transactions, {.min_count = min_count}, limits, [&](const ItemsetRule& rule) {
          closed.emplace(RuleSides{ascending(rule.antecedent), ascending(rule.consequent)},
                         rule.table);
        });
    const auto all =
        expected_rules(data.lists, frequent_sets(data.transactions, min_count), limits);
    for (const auto& rule : all) {
      const auto& sides = rule.first;
      const auto& table = rule.second;
      RC_ASSERT(std::any_of(closed.begin(), closed.end(), [&](const auto& other) {
        const auto& [longer, its] = other;
        return longer.first == sides.first && std::ranges::includes(longer.second, sides.second) &&
               its.n_antecedent == table.n_antecedent && its.n_both == table.n_both &&
               its.n_consequent <= table.n_consequent;
      }));
    }
  }));
}

TEST(ItemsetTree, FindsEverySetAndNoOther) {
  EXPECT_TRUE(rc::check([] {
    const auto items = *rc::gen::inRange<std::uint32_t>(1, 14);
    RandomStream draw({.seed = *rc::gen::arbitrary<std::uint32_t>()});
    const ItemLists lists =
        random_lists(draw, 60, std::vector<double>(items, 0.3 + 0.5 * draw.next_double()));
    const TransactionSet transactions = transactions_of(items, lists);
    const std::uint64_t min_count = *rc::gen::inRange<std::uint64_t>(1, 20);
    const ItemsetTree tree = tree_of(transactions, {.min_count = min_count});
    const Supports expected = frequent_sets(transactions, min_count);
    RC_ASSERT(tree.nodes() == expected.size());
    ItemList order(items);  // as sets add them: the rarest first
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return transactions.supports()[a] > transactions.supports()[b];
    });
    std::reverse(order.begin(), order.end());
    for (std::uint32_t m = 0; m < 1U << items; ++m) {
      ItemList set;
      for (std::uint32_t i = 0; i < items; ++i) {
        if ((m >> i & 1) != 0) set.push_back(order[i]);
      }
      const ItemsetTree::Node node = tree.find(set);
      const auto known = expected.find(ascending(set));
      RC_ASSERT((node != ItemsetTree::none) == (known != expected.end()));
      if (node != ItemsetTree::none) {
        RC_ASSERT(tree.support(node) == known->second);
        RC_ASSERT(tree.item(node) == set.back());
      }
    }
  }));
}

TEST(ItemsetRules, OfOneTransactionEachItemFollowsFromTheOthers) {
  const ItemLists lists = {{0, 1, 2}};
  const TransactionSet transactions = transactions_of(3, lists);
  std::set<RuleSides> found;
  for_each_rule(tree_of(transactions, {}), 1, {.min_confidence = 1}, [&](const ItemsetRule& rule) {
    found.insert({ascending(rule.antecedent), ascending(rule.consequent)});
  });
  EXPECT_EQ(found, (std::set<RuleSides>{{{0}, {1}},
                                        {{0}, {2}},
                                        {{1}, {0}},
                                        {{1}, {2}},
                                        {{2}, {0}},
                                        {{2}, {1}},
                                        {{0, 1}, {2}},
                                        {{0, 2}, {1}},
                                        {{1, 2}, {0}}}));
}

TEST(BestItemsetRules, AreTheFirstOfAllInOrder) {
  EXPECT_TRUE(rc::check([] {
    RandomStream draw({.seed = *rc::gen::arbitrary<std::uint32_t>()});
    const auto count = *rc::gen::inRange<std::size_t>(0, 60);
    const auto most = *rc::gen::inRange<std::size_t>(1, 20);
    // Conviction does not exist where the consequent always holds; few values, so that some tie.
    std::vector<ContingencyTable> tables(count);
    for (ContingencyTable& table : tables) {
      table.n = 4;
      table.n_both = 1 + draw.below(2);
      table.n_antecedent = table.n_both + draw.below(2);
      table.n_consequent = 2 + draw.below(3);
    }
    BestItemsetRules best(Measure::conviction, most);
    for (std::uint32_t i = 0; i < count; ++i) {
      const ItemList antecedent = {i}, consequent = {i + 1, i};
      best.take({antecedent, consequent, tables[i]});
    }
    std::vector<std::uint32_t> expected(count);
    std::iota(expected.begin(), expected.end(), 0U);
    std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
      return by_measure(evaluate(Measure::conviction, tables[a]),
                        evaluate(Measure::conviction, tables[b])) < 0;
    });
    if (expected.size() > most) expected.resize(most);
    std::vector<std::uint32_t> found;
    best.hand_over([&](const ItemsetRule& rule) {
      const std::uint32_t i = rule.antecedent[0];
      RC_ASSERT(rule.consequent.size() == 2U);
      RC_ASSERT(rule.consequent[0] == i + 1);
      RC_ASSERT(rule.table == tables[i]);
      found.push_back(i);
    });
    RC_ASSERT(found == expected);
  }));
}

}  // namespace
}  // namespace atl::test
