#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/bit_planes.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/rules/rule_set.hpp"
#include "src/sampling/class_tree.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

using TreeCodes = std::vector<std::uint32_t>;

std::vector<std::uint32_t> rows_below(std::size_t rows) {
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

// 40 rows on which scikit-learn 1.x grows the same tree whatever its random state.
const TreeCodes tree_first = {4, 7, 5, 0, 3, 3, 3, 7, 1, 3, 5, 2, 4, 7, 6, 0, 0, 4, 2, 1,
                              6, 7, 7, 6, 0, 1, 5, 1, 5, 0, 1, 4, 3, 0, 3, 5, 6, 7, 7, 0};
const TreeCodes tree_second = {2, 3, 0, 1, 3, 5, 3, 3, 0, 1, 1, 1, 0, 2, 4, 3, 3, 2, 4, 2,
                               0, 0, 4, 5, 5, 0, 4, 1, 4, 1, 2, 2, 0, 1, 1, 1, 1, 3, 3, 2};
const TreeCodes tree_classes = {0, 1, 1, 0, 1, 2, 2, 1, 2, 0, 1, 0, 0, 1, 1, 2, 2, 2, 2, 1,
                                1, 1, 1, 1, 2, 0, 1, 2, 1, 1, 2, 0, 2, 0, 1, 2, 1, 1, 1, 1};

TreeTable hand_made(std::vector<double> weights) {
  return {{{0, 8, true, tree_first}, {1, 6, true, tree_second}}, tree_classes, std::move(weights)};
}

/// Attribute, bound and first child of the nodes that are split.
using TreeSplits = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>>;
TreeSplits splits_of(const ClassTree& tree) {
  TreeSplits splits;
  for (const TreeNode& node : tree.nodes) {
    if (node.first_child == 0) continue;
    const Comparison& comparison = tree.nodes[node.first_child].comparison;
    splits.emplace_back(comparison.attribute, comparison.high, node.first_child);
  }
  return splits;
}

TEST(ClassTree, IsThatOfScikitLearn) {
  TreeLimits limits{.most_leaves = 6};
  const ClassTree tree = grow_tree(hand_made({1, 1, 1}), rows_below(40), limits);
  EXPECT_EQ(splits_of(tree), (TreeSplits{{0, 4, 1}, {1, 2, 3}, {0, 0, 5}, {1, 1, 9}, {0, 1, 7}}));
  using Rows = std::vector<std::uint64_t>;
  const std::vector<Rows> rows = {{8, 20, 12}, {8, 5, 11}, {0, 15, 1}, {8, 4, 5},
                                  {0, 1, 6},   {2, 2, 0},  {6, 2, 5},  {1, 1, 3},
                                  {5, 1, 2},   {2, 1, 0},  {0, 1, 0}};
  ASSERT_EQ(tree.nodes.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(tree.nodes[i].rows, rows[i]) << i;
  EXPECT_EQ(tree.leaves_of(1), (TreeCodes{0}));
  EXPECT_EQ(tree.leaves_of(4), (TreeCodes{2, 4, 5, 6}));
  EXPECT_EQ(tree.leaves_of(6), (TreeCodes{2, 4, 7, 8, 9, 10}));

  const ClassTree weighted = grow_tree(hand_made({3, 1, 0.5}), rows_below(40), limits);
  EXPECT_EQ(splits_of(weighted),
            (TreeSplits{{0, 4, 1}, {1, 2, 3}, {0, 3, 5}, {0, 2, 9}, {1, 1, 7}}));
  limits.impurity = Impurity::entropy;
  const ClassTree entropy = grow_tree(hand_made({1, 1, 1}), rows_below(40), limits);
  EXPECT_EQ(splits_of(entropy),
            (TreeSplits{{0, 4, 1}, {1, 2, 3}, {0, 5, 9}, {0, 0, 5}, {0, 3, 7}}));
}

TEST(ClassTree, KeepsToItsLimits) {
  const ClassTree shallow = grow_tree(hand_made({1, 1, 1}), rows_below(40), {.most_depth = 2});
  const ClassTree large = grow_tree(hand_made({1, 1, 1}), rows_below(40), {.least_rows = 5});
  const ClassTree whole = grow_tree(hand_made({1, 1, 1}), rows_below(40), {});
  EXPECT_EQ(shallow.leaves(), 4U);
  EXPECT_GT(whole.leaves(), 10U);
  EXPECT_GT(large.leaves(), 4U);
  for (const TreeNode& node : large.nodes) {
    EXPECT_GE(std::accumulate(node.rows.begin(), node.rows.end(), std::uint64_t{0}), 5U);
  }
  EXPECT_EQ(grow_tree(hand_made({1, 1, 1}), {}, {}).leaves(), 1U);
  EXPECT_EQ(grow_tree(hand_made({1, 1, 1}), {0, 3, 9}, {}).leaves(), 1U) << "of one class";
}

/// A random table, and classes that it does not tell.
struct RandomClasses {
  explicit RandomClasses(std::uint64_t seed, std::uint64_t rows = 300)
      : table(random_table(seed, rows, 5, true)) {
    RandomStream stream({seed, 0, 0, 0, Purpose::test});
    for (std::size_t row = 0; row < rows; ++row)
      classes.push_back(static_cast<std::uint32_t>(stream.below(3)));
    for (std::uint32_t a = 0; a < table.attributes.size(); ++a) {
      const Attribute& its = table.attributes[a];
      tree.columns.push_back({a, its.distinct(), its.ordered(), table.columns[a]});
    }
    tree.classes = classes;
    tree.weights = {1, 2, 0.5};
  }

  RandomTable table;
  TreeCodes classes;
  TreeTable tree;
};

double gini_weight(const std::vector<double>& weights, const std::vector<std::uint64_t>& rows) {
  double all = 0, squares = 0;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    all += weights[c] * static_cast<double>(rows[c]);
    squares += weights[c] * weights[c] * static_cast<double>(rows[c] * rows[c]);
  }
  return all == 0 ? 0 : all * (1 - squares / (all * all));
}

/// The least weight times impurity that one split leaves of some rows, by trying every code.
double least_impurity(const RandomClasses& its, const TreeCodes& rows) {
  double least = 1e300;
  for (const TreeColumn& column : its.tree.columns) {
    for (std::uint32_t code = 0; code < column.distinct; ++code) {
      std::vector<std::uint64_t> sides[2] = {{0, 0, 0}, {0, 0, 0}}, missing = {0, 0, 0};
      std::size_t known[2] = {0, 0};
      for (const std::uint32_t row : rows) {
        const std::uint32_t cell = column.codes[row];
        const std::size_t side = column.ordered ? cell > code : cell != code;
        ++(cell == missing_code ? missing : sides[side])[its.classes[row]];
        known[side] += cell != missing_code;
      }
      if (known[0] == 0 || known[1] == 0) continue;
      for (std::size_t c = 0; c < 3; ++c) sides[known[0] >= known[1] ? 0 : 1][c] += missing[c];
      least = std::min(
          least, gini_weight(its.tree.weights, sides[0]) + gini_weight(its.tree.weights, sides[1]));
    }
  }
  return least;
}

TEST(ClassTree, TakesTheBestOfAllSplits) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RandomClasses its(seed);
    const ClassTree tree = grow_tree(its.tree, rows_below(300), {.most_leaves = 20});
    const Dataset data = make_dataset(its.table.attributes, its.table.columns);
    for (std::uint32_t first_child = 1; first_child < tree.nodes.size(); first_child += 2) {
      const std::uint32_t node = tree.nodes[first_child].parent;
      const RuleSet list{
          node == 0 ? std::vector<ClassRule>()
                    : std::vector<ClassRule>{{antecedent_of(tree, node, its.table.attributes), 0}},
          1};
      const auto deciders = deciding_rules(list, data);
      TreeCodes rows;
      for (std::uint32_t row = 0; row < 300; ++row) {
        if (deciders[row] == 0) rows.push_back(row);
      }
      const double left = gini_weight(its.tree.weights, tree.nodes[first_child].rows) +
                          gini_weight(its.tree.weights, tree.nodes[first_child + 1].rows);
      EXPECT_NEAR(left, least_impurity(its, rows), 1e-9) << seed << ' ' << node;
    }
  }
}

TEST(ClassTree, LeavesPartTheRows) {
  const RandomClasses its(4, 2000);
  const Dataset data = make_dataset(its.table.attributes, its.table.columns);
  const ClassTree tree = grow_tree(its.tree, rows_below(2000), {.most_leaves = 30});
  for (const std::size_t k : {2U, 17U, 30U}) {
    for (const std::uint32_t leaf : tree.leaves_of(k)) {
      const RuleSet list{{{antecedent_of(tree, leaf, its.table.attributes), 0}}, 1};
      const auto deciders = deciding_rules(list, data);
      std::vector<std::uint64_t> rows(3, 0);
      for (std::size_t row = 0; row < deciders.size(); ++row) {
        if (deciders[row] == 0) ++rows[its.classes[row]];
      }
      EXPECT_EQ(rows, tree.nodes[leaf].rows) << k << ' ' << leaf;
      // The plain conjunction lacks at most rows that have no value somewhere.
      const RuleSet plain{
          {{Expression::conjunction(comparisons_to(tree, leaf, its.table.attributes)), 0}}, 1};
      const auto decided = deciding_rules(plain, data);
      for (std::size_t row = 0; row < decided.size(); ++row) {
        EXPECT_TRUE(decided[row] != 0 || deciders[row] == 0);
      }
    }
  }
}

}  // namespace
}  // namespace atl::test
