#include "src/sampling/class_tree.hpp"

#include <algorithm>
#include <optional>
#include <queue>
#include <utility>

#include "src/core/portable_log.hpp"
#include "src/data/bit_planes.hpp"
#include "src/rules/canonical.hpp"

namespace atl {
namespace {

struct TreeSplit {
  Comparison comparison;  // of the first side
  bool first_takes_missing = false;
  double gain = 0;
};

/// A leaf that can be split, and its rows: some of those of the grower, one after another.
struct OpenLeaf {
  std::uint32_t node = 0;
  std::size_t begin = 0, end = 0;
  TreeSplit split;

  friend bool operator<(const OpenLeaf& a, const OpenLeaf& b) noexcept {  // for std::priority_queue
    return a.split.gain != b.split.gain ? a.split.gain < b.split.gain : a.node > b.node;
  }
};

class TreeGrower {
 public:
  TreeGrower(const TreeTable& table, std::vector<std::uint32_t> rows, const TreeLimits& limits)
      : table_(table),
        limits_(limits),
        rows_(std::move(rows)),
        classes_(table.weights.size()),
        missing_(classes_),
        inside_(classes_),
        first_(classes_),
        second_(classes_) {
    std::size_t most = 0;
    for (const TreeColumn& column : table.columns)
      most = std::max<std::size_t>(most, column.distinct);
    counts_.assign(most * classes_, 0);
  }

  ClassTree grow() {
    tree_.nodes.emplace_back();
    open(0, 0, rows_.size());
    while (!open_.empty() && tree_.leaves() < limits_.most_leaves) {
      const OpenLeaf leaf = open_.top();
      open_.pop();
      split(leaf);
    }
    return std::move(tree_);
  }

 private:
  using Counts = std::vector<std::uint64_t>;  // [classes]

  std::uint64_t sum(const Counts& counts) const {
    std::uint64_t rows = 0;
    for (const std::uint32_t c : there_) rows += counts[c];
    return rows;
  }

  /// Less their weight times their impurity, but for what all splits of a node have in common.
  double purity(const Counts& counts) const {
    double all = 0, sum = 0;
    for (const std::uint32_t c : there_) {
      if (counts[c] == 0) continue;
      const double weight = table_.weights[c] * static_cast<double>(counts[c]);
      all += weight;
      sum += limits_.impurity == Impurity::gini ? weight * weight : weight * portable_log(weight);
    }
    if (all <= 0) return 0;
    return limits_.impurity == Impurity::gini ? sum / all : sum - all * portable_log(all);
  }

  /// Counts the rows of a new node, and finds its best split if it may have one.
  void open(std::uint32_t node, std::size_t begin, std::size_t end) {
    Counts& counts = tree_.nodes[node].rows;
    counts.assign(classes_, 0);
    for (std::size_t i = begin; i < end; ++i) ++counts[table_.classes[rows_[i]]];
    const auto empty = std::count(counts.begin(), counts.end(), std::uint64_t{0});
    if (static_cast<std::size_t>(empty) + 1 >= classes_ ||
        tree_.nodes[node].depth >= limits_.most_depth || tree_.leaves() >= limits_.most_leaves ||
        end - begin < 2 * limits_.least_rows) {
      return;
    }
    there_.clear();
    for (std::uint32_t c = 0; c < classes_; ++c)
      if (counts[c] != 0) there_.push_back(c);
    const auto rows = std::span(rows_).subspan(begin, end - begin);
    labels_.clear();
    for (const std::uint32_t row : rows) labels_.push_back(table_.classes[row]);
    best_.reset();
    for (const TreeColumn& column : table_.columns) look_at(column, rows, counts);
    if (!best_) return;
    best_->gain -= purity(counts);
    open_.push({node, begin, end, *best_});
  }

  /// Looks for the best split by a column. @param of_class  how many of the rows are of each
  void look_at(const TreeColumn& column, std::span<const std::uint32_t> rows,
               const Counts& of_class) {
    std::fill(missing_.begin(), missing_.end(), 0);
    codes_.clear();
    // Looks at their codes alone.
    const bool few = rows.size() < std::size_t{column.distinct} * classes_ / 16;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::uint32_t code = column.codes[rows[i]];
      if (code == missing_code) {
        ++missing_[labels_[i]];
        continue;
      }
      ++counts_[code * classes_ + labels_[i]];
      if (few) codes_.push_back(code);
    }
    for (std::uint32_t c = 0; c < classes_; ++c) inside_[c] = of_class[c] - missing_[c];
    if (few) {
      std::sort(codes_.begin(), codes_.end());
      codes_.erase(std::unique(codes_.begin(), codes_.end()), codes_.end());
    } else {
      for (std::uint32_t code = 0; code < column.distinct; ++code) {
        const auto* const its = &counts_[code * classes_];
        if (std::any_of(its, its + classes_, [](auto n) { return n != 0; })) codes_.push_back(code);
      }
    }
    if (codes_.size() > 1) try_codes(column);
    for (const std::uint32_t code : codes_) {
      std::fill_n(counts_.begin() + static_cast<std::ptrdiff_t>(code * classes_), classes_, 0);
    }
  }

  /// Tries the bound between each code that some row has and the next one, or each label.
  void try_codes(const TreeColumn& column) {
    const std::uint64_t known = sum(inside_);
    std::fill(first_.begin(), first_.end(), 0);
    std::uint64_t size = 0;
    // Of two labels the first says all: the other one is what it is not.
    const std::size_t splits =
        column.ordered || codes_.size() == 2 ? codes_.size() - 1 : codes_.size();
    for (std::size_t k = 0; k < splits; ++k) {
      const std::uint32_t code = codes_[k];
      if (!column.ordered) {
        std::fill(first_.begin(), first_.end(), 0);
        size = 0;
      }
      for (const std::uint32_t c : there_) {
        first_[c] += counts_[code * classes_ + c];
        size += counts_[code * classes_ + c];
      }
      const std::uint32_t bound = column.ordered ? code + (codes_[k + 1] - code) / 2 : code;
      try_split(
          {{column.attribute, column.ordered ? 0 : code, bound, false}, 2 * size >= known, 0});
    }
  }

  /// @param split  whose first side has the rows first_ with a value
  void try_split(TreeSplit split) {
    Counts& more = split.first_takes_missing ? side_ : second_;
    side_ = first_;
    for (const std::uint32_t c : there_) second_[c] = inside_[c] - first_[c];
    for (const std::uint32_t c : there_) more[c] += missing_[c];
    if (limits_.least_rows > 1 && std::min(sum(side_), sum(second_)) < limits_.least_rows) return;
    split.gain = purity(side_) + purity(second_);
    if (!best_ || split.gain > best_->gain) best_ = split;
  }

  void split(const OpenLeaf& leaf) {
    const TreeSplit& split = leaf.split;
    const auto column = std::find_if(
        table_.columns.begin(), table_.columns.end(),
        [&](const TreeColumn& its) { return its.attribute == split.comparison.attribute; });
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(leaf.begin);
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(leaf.end);
    const auto middle = std::stable_partition(begin, end, [&](std::uint32_t row) {
      const std::uint32_t code = column->codes[row];
      return code == missing_code ? split.first_takes_missing : takes(split.comparison, code);
    });
    TreeNode child;
    child.parent = leaf.node;
    child.depth = tree_.nodes[leaf.node].depth + 1;
    child.comparison = split.comparison;
    child.takes_missing = split.first_takes_missing;
    const auto first = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes[leaf.node].first_child = first;
    tree_.nodes.push_back(child);
    if (column->ordered) {
      child.comparison.low = split.comparison.high + 1;
      child.comparison.high = column->distinct - 1;
    } else {
      child.comparison.negated = true;
    }
    child.takes_missing = !split.first_takes_missing;
    tree_.nodes.push_back(std::move(child));
    const auto at = static_cast<std::size_t>(middle - rows_.begin());
    open(first, leaf.begin, at);
    open(first + 1, at, leaf.end);
  }

  const TreeTable& table_;
  const TreeLimits& limits_;
  std::vector<std::uint32_t> rows_;
  std::size_t classes_;
  ClassTree tree_;
  std::priority_queue<OpenLeaf> open_;
  // For the node that is looked at:
  std::vector<std::uint32_t> labels_;  // of its rows
  std::optional<TreeSplit> best_;
  std::vector<std::uint32_t> counts_;                // [codes][classes] of a column; else zero
  std::vector<std::uint32_t> codes_;                 // that some row has, ascending
  std::vector<std::uint32_t> there_;                 // classes that some row of the node has
  Counts missing_, inside_, first_, side_, second_;  // rows without a value, with one, and of sides
};

/// Nodes from below the root to this one.
std::vector<const TreeNode*> way_to(const ClassTree& tree, std::uint32_t node) {
  std::vector<const TreeNode*> way;
  for (; node != 0; node = tree.nodes[node].parent) way.push_back(&tree.nodes[node]);
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

std::vector<std::uint32_t> ClassTree::leaves_of(std::size_t k) const {
  std::vector<std::uint32_t> leaves;
  const auto known = static_cast<std::uint32_t>(2 * k - 1);
  for (std::uint32_t node = 0; node < known; ++node) {
    const std::uint32_t child = nodes[node].first_child;
    if (child == 0 || child >= known) leaves.push_back(node);
  }
  return leaves;
}

ClassTree grow_tree(const TreeTable& table, std::vector<std::uint32_t> rows,
                    const TreeLimits& limits) {
  return TreeGrower(table, std::move(rows), limits).grow();
}

Comparisons comparisons_to(const ClassTree& tree, std::uint32_t node,
                           std::span<const Attribute> attributes) {
  Comparisons comparisons;
  for (const TreeNode* const step : way_to(tree, node)) comparisons.push_back(step->comparison);
  if (!comparisons.empty()) make_canonical(comparisons, attributes);
  return comparisons;
}

Expression antecedent_of(const ClassTree& tree, std::uint32_t node,
                         std::span<const Attribute> attributes) {
  Expression all;
  auto way = way_to(tree, node);
  std::stable_sort(way.begin(), way.end(), [](const TreeNode* a, const TreeNode* b) {
    return a->comparison.attribute < b->comparison.attribute;
  });
  for (auto first = way.begin(), last = first; first != way.end(); first = last) {
    const std::uint32_t attribute = (*first)->comparison.attribute;
    Comparisons comparisons;
    bool takes_missing = attributes[attribute].has_missing;
    for (; last != way.end() && (*last)->comparison.attribute == attribute; ++last) {
      comparisons.push_back((*last)->comparison);
      takes_missing = takes_missing && (*last)->takes_missing;
    }
    make_canonical(comparisons, attributes);
    Expression its = Expression::conjunction(comparisons);
    if (takes_missing) its = either(its, Expression::of(is_missing(attribute)));
    all = all.empty() ? std::move(its) : both(all, its);
  }
  return all.empty() ? all : canonical(all, attributes);
}

}  // namespace atl
