// Classification trees over codes (Breiman et al. 1984), grown leaf by leaf: each of their sizes is
// known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// Cells by which a tree may tell rows apart.
struct TreeColumn {
  std::uint32_t attribute = 0;
  std::uint32_t distinct = 0;            ///< codes are below it
  bool ordered = false;                  ///< splits are `<=`; else `=`
  std::span<const std::uint32_t> codes;  ///< [rows] missing_code where there is no value
};

struct TreeTable {
  std::vector<TreeColumn> columns;
  std::span<const std::uint32_t> classes;  ///< [rows] below weights.size()
  std::vector<double> weights;             ///< [classes] of a row
};

enum class Impurity : std::uint8_t { gini, entropy };

struct TreeLimits {
  std::size_t most_leaves = std::numeric_limits<std::size_t>::max();
  std::uint32_t most_depth = std::numeric_limits<std::uint32_t>::max();  ///< comparisons to a leaf
  std::uint64_t least_rows = 1;                                          ///< of a leaf
  Impurity impurity = Impurity::gini;
};

/// A leaf, or what was split later. Nodes 2 s + 1 and 2 s + 2 come from split s, the one that takes
/// the comparison first.
struct TreeNode {
  std::uint32_t parent = 0, depth = 0;
  Comparison comparison;            ///< by which rows come from the parent; none of node 0
  bool takes_missing = false;       ///< so do those that have no value
  std::uint32_t first_child = 0;    ///< the other one is the next node; 0: is never split
  std::vector<std::uint64_t> rows;  ///< [classes]
};

struct ClassTree {
  std::vector<TreeNode> nodes;  ///< the first 2 k - 1 are the tree of k leaves

  std::size_t leaves() const noexcept { return (nodes.size() + 1) / 2; }
  /// The nodes that are leaves of the tree of k leaves, ascending. @pre 1 <= k <= leaves()
  std::vector<std::uint32_t> leaves_of(std::size_t k) const;
};

/// Splits again and again the leaf whose best split gains most: lessens most the sum over leaves of
/// weight times impurity. Of equal gains the leaf that came first has it, then the first column and
/// code. A leaf is split even if nothing is gained, but not if its rows are of one class or no
/// split is within the limits. A bound lies in the middle of codes that no row of the leaf has.
/// Rows without a value go to the side that has more rows with one, of equals the first.
/// Takes time in proportion to rows and columns for each level, and to codes for each leaf.
/// @param rows  that it is grown on, of the table; one may be there several times
ClassTree grow_tree(const TreeTable& table, std::vector<std::uint32_t> rows,
                    const TreeLimits& limits);

/// The comparisons on the way to a node as one conjunction, canonical, without what is said twice.
/// Rows without a value that come there by takes_missing are not in it. Empty for node 0.
Comparisons comparisons_to(const ClassTree& tree, std::uint32_t node,
                           std::span<const Attribute> attributes);
/// Holds on exactly the rows that come to the node, canonical: where the way takes missing values,
/// `(A <= x OR A is missing)`. Empty for node 0.
Expression antecedent_of(const ClassTree& tree, std::uint32_t node,
                         std::span<const Attribute> attributes);

}  // namespace atl
