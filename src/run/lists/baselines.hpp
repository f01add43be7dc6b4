// Simple learners that decision lists are compared with. Each makes a list, so that all are tested
// in one way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/rules/rule_set.hpp"
#include "src/sampling/class_tree.hpp"

namespace atl {

/// The rows that baselines are learnt from.
struct BaselineTable {
  /// @param training  must outlive it; each row has a class
  /// @param exclude   attributes by which rows are not told apart
  /// @param weights   [classes] of a row
  BaselineTable(const Dataset& training, std::uint32_t class_attribute,
                std::span<const std::string> exclude, std::vector<double> weights);
  BaselineTable(const BaselineTable&) = delete;
  BaselineTable& operator=(const BaselineTable&) = delete;

  std::span<const Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> cells;  ///< [attributes][rows] empty where excluded
  TreeTable table;                                ///< refers to them
  std::vector<std::uint32_t> rows;                ///< all
};

struct Baseline {
  std::string_view name;
  /// @param most  rules, or leaves
  RuleSet (*learn)(const BaselineTable& table, std::size_t most);
  bool counts_default = false;  ///< is the default class a part of its size, as a leaf is?
};

/// - "majority": the class that weighs most.
/// - "one rule" (Holte 1993): the attribute that alone gets most right. Each of its labels, and
///   being without a value, tells the class that weighs most there, if at least 6 rows are of it.
///   Neighbouring values become intervals: one ends where at least 6 of its rows are of its
///   class and the next value has another; neighbours of one class are joined. Other values are the
///   majority's. An attribute that would take more than 1,024 rules is left out.
/// - "greedy list" (separate and conquer, Fürnkranz 1999): the next rule is the leaf of the best
///   Laplace value (n_c + 1) / (n + classes), n the weight of its rows, of a tree of 16 leaves and
///   depth 5 on the rows that no rule covers; it ends when that tree has one leaf.
/// - "tree": grow_tree() by the Gini impurity, of so many leaves (Breiman et al. 1984; as
///   DecisionTreeClassifier(max_leaf_nodes=...) of scikit-learn).
std::span<const Baseline> baselines() noexcept;

}  // namespace atl
