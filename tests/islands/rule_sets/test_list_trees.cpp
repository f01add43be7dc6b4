// Lists that say what trees say.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "islands/rule_sets/list_trees.hpp"
#include "src/measures/class_weights.hpp"
#include "tests/islands/listed_table.hpp"

namespace atl {
namespace {

constexpr std::uint64_t rows = 400, seen = 300;  // the others are of a fold that is left out

/// A table, and trees on some of its rows.
struct GrownTrees {
  GrownTrees(ListGoal goal, std::size_t most_rules) : data(listed_table(rows)), folds(rows, 1) {
    std::fill_n(folds.begin(), seen, 0);
    sample = std::make_unique<ClassSample>(
        data, 4,
        ClassSample::Options{
            .usable = {true, true, true, false, true}, .folds = folds, .fold_count = 2});
    search.sample = sample.get();
    search.judge.goal = goal;
    search.growth.weights = class_weights(sample->class_rows(), 0);
    search.most_rules = most_rules;
  }

  std::vector<SampledList> lists() const {
    RandomStream stream({1, 0, 0, 0, Purpose::test});
    return ListTrees(data, folds, search).grow({.without = 1}, Impurity::gini, 1, stream);
  }

  /// The leaves of the tree of k leaves, by plain loops over its nodes. [rows seen]
  std::vector<std::uint32_t> leaf_of_rows(const ClassTree& tree, std::size_t k) const {
    std::vector<std::uint32_t> leaves;
    for (std::uint64_t row = 0; row < seen; ++row) {
      std::uint32_t node = 0;
      while (tree.nodes[node].first_child != 0 && tree.nodes[node].first_child < 2 * k - 1) {
        const TreeNode& child = tree.nodes[tree.nodes[node].first_child];
        const bool first = takes(child.comparison, data.code(row, child.comparison.attribute));
        node = tree.nodes[node].first_child + (first ? 0 : 1);
      }
      leaves.push_back(node);
    }
    return leaves;
  }

  ClassTree tree(std::size_t most_leaves) const {
    std::vector<std::vector<std::uint32_t>> codes(5);
    for (std::uint32_t a = 0; a < 5; ++a) {
      for (std::uint64_t row = 0; row < seen; ++row) codes[a].push_back(data.code(row, a));
    }
    TreeTable table{{}, codes[4], search.growth.weights};
    for (std::uint32_t a = 0; a < 3; ++a) table.columns.push_back({a, 16, true, codes[a]});
    std::vector<std::uint32_t> all(seen);
    std::iota(all.begin(), all.end(), 0);
    return grow_tree(table, all, {.most_leaves = most_leaves, .least_rows = 2});
  }

  Dataset data;
  std::vector<std::uint8_t> folds;
  std::unique_ptr<ClassSample> sample;
  ListSearch search;
};

/// The rule that decides each row that is seen; behind the last, the default.
std::vector<std::size_t> deciders(const SampledList& list, const Dataset& data) {
  std::vector<std::size_t> rules;
  for (std::uint64_t row = 0; row < seen; ++row) {
    std::size_t rule = 0;
    for (; rule < list.rules.size(); ++rule) {
      const auto its = list.rules[rule]->rule().antecedent.comparisons();
      if (std::all_of(its.begin(), its.end(), [&](const Comparison& comparison) {
            return takes(comparison, data.code(row, comparison.attribute));
          })) {
        break;
      }
    }
    rules.push_back(rule);
  }
  return rules;
}

TEST(ListTrees, PartTheRowsAsTheLeavesDo) {
  const GrownTrees grown(ListGoal::probabilities, 9);
  const auto lists = grown.lists();
  ASSERT_EQ(lists.size(), 9U);
  const ClassTree tree = grown.tree(10);
  std::size_t comparisons = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    ASSERT_EQ(lists[i].rules.size(), i + 1);
    const auto leaves = grown.leaf_of_rows(tree, i + 2);
    const auto rules = deciders(lists[i], grown.data);
    for (std::size_t a = 0; a < seen; ++a) {
      for (std::size_t b = 0; b < a; ++b)
        ASSERT_EQ(leaves[a] == leaves[b], rules[a] == rules[b]) << i;
    }
    comparisons = 0;
    for (const SharedRule& rule : lists[i].rules)
      comparisons += rule->rule().antecedent.comparisons().size();
  }
  EXPECT_LE(comparisons, 9U * 3) << "a rule needs no more than the logarithm of the leaves";
}

TEST(ListTrees, JoinLeavesOfOneClassWhereClassesAreAllThatCounts) {
  const GrownTrees grown(ListGoal::classes, 4);
  const ClassTree tree = grown.tree(10);
  const auto lists = grown.lists();
  ASSERT_FALSE(lists.empty());
  for (const SampledList& list : lists) {
    ASSERT_LE(list.rules.size(), 4U);
    ASSERT_FALSE(list.rules.empty());
    EXPECT_FALSE(names(list.list(), 3)) << "not usable";
  }
  // The list with the most rules says the class of as many rows as a tree of more leaves.
  const SampledList& last = lists.back();
  const auto rules = deciders(last, grown.data);
  std::size_t right = 0, of_tree = 0;
  const auto leaves = grown.leaf_of_rows(tree, 5);
  for (std::uint64_t row = 0; row < seen; ++row) {
    const std::size_t rule = rules[row];
    const std::uint32_t label =
        rule < last.rules.size() ? last.rules[rule]->rule().label : last.default_class;
    right += label == grown.data.code(row, 4) ? 1U : 0U;
    const auto& counts = tree.nodes[leaves[row]].rows;
    const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
    of_tree += grown.data.code(row, 4) == static_cast<std::uint32_t>(most) ? 1U : 0U;
  }
  EXPECT_GE(right, of_tree);
}

TEST(ListTrees, KeepToTheLongestRule) {
  GrownTrees grown(ListGoal::probabilities, 9);
  grown.search.growth.most_comparisons = 1;
  for (const SampledList& list : grown.lists()) {
    for (const SharedRule& rule : list.rules)
      EXPECT_EQ(rule->rule().antecedent.comparisons().size(), 1U);
  }
}

}  // namespace
}  // namespace atl
