#include "src/run/lists/baselines.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/data/bit_planes.hpp"

namespace atl {
namespace {

using ClassRows = std::vector<std::uint64_t>;  // [classes]

/// Rows of its class that an interval of "one rule" has.
constexpr std::uint64_t least_rows_of_class = 6;
constexpr std::size_t most_single_rules = 1024;
constexpr TreeLimits greedy_tree = {.most_leaves = 16, .most_depth = 5};
/// Comparisons to a leaf: lists are read back, and antecedents have a greatest length.
constexpr std::uint32_t deepest_leaf = most_antecedent_comparisons / 2;

/// The class that weighs most, the first of equals.
std::uint32_t heaviest_class(const BaselineTable& table, const ClassRows& rows) {
  std::uint32_t best = 0;
  const auto weight = [&](std::uint32_t c) {
    return table.table.weights[c] * static_cast<double>(rows[c]);
  };
  for (std::uint32_t c = 1; c < rows.size(); ++c) {
    if (weight(c) > weight(best)) best = c;
  }
  return best;
}

ClassRows classes_of(const BaselineTable& table, std::span<const std::uint32_t> rows) {
  ClassRows counts(table.table.weights.size(), 0);
  for (const std::uint32_t row : rows) ++counts[table.table.classes[row]];
  return counts;
}

RuleSet majority_class(const BaselineTable& table, std::size_t) {
  return {{}, heaviest_class(table, classes_of(table, table.rows))};
}

/// Codes of an attribute, or missing_code alone, and the rows that have them.
struct ValueRange {
  std::uint32_t low = 0, high = 0;
  ClassRows rows;
};

/// Joins the next range to the one before it.
void join(ValueRange& range, const ValueRange& next) {
  range.high = next.high;
  for (std::size_t c = 0; c < range.rows.size(); ++c) range.rows[c] += next.rows[c];
}

/// Joins neighbours to the intervals of "one rule". @param values  not empty
std::vector<ValueRange> intervals_of(const BaselineTable& table, std::vector<ValueRange> values) {
  std::vector<ValueRange> intervals;
  const auto label = [&](const ValueRange& range) { return heaviest_class(table, range.rows); };
  const auto is_full = [&](const ValueRange& range) {
    return range.rows[label(range)] >= least_rows_of_class;
  };
  for (const ValueRange& value : values) {
    const bool ends =
        !intervals.empty() && is_full(intervals.back()) && label(value) != label(intervals.back());
    if (intervals.empty() || ends) {
      intervals.push_back(value);
    } else {
      join(intervals.back(), value);
    }
  }
  if (intervals.size() > 1 && !is_full(intervals.back())) {
    join(intervals[intervals.size() - 2], intervals.back());
    intervals.pop_back();
  }
  std::vector<ValueRange> joined;
  for (const ValueRange& interval : intervals) {
    if (!joined.empty() && label(joined.back()) == label(interval)) {
      join(joined.back(), interval);
    } else {
      joined.push_back(interval);
    }
  }
  return joined;
}

/// The values of an attribute that some row has; of one that is ordered, intervals that part all
/// of its codes. The last one may be of the rows without a value.
std::vector<ValueRange> ranges_of(const BaselineTable& table, const TreeColumn& column) {
  const std::size_t classes = table.table.weights.size();
  std::vector<ValueRange> values(column.distinct);
  ValueRange missing{missing_code, missing_code, ClassRows(classes, 0)};
  for (std::uint32_t code = 0; code < column.distinct; ++code) {
    values[code] = {code, code, ClassRows(classes, 0)};
  }
  for (const std::uint32_t row : table.rows) {
    const std::uint32_t code = column.codes[row];
    ++(code == missing_code ? missing : values[code]).rows[table.table.classes[row]];
  }
  const auto has_rows = [](const ValueRange& range) {
    return std::any_of(range.rows.begin(), range.rows.end(), [](auto n) { return n != 0; });
  };
  std::erase_if(values, [&](const ValueRange& value) { return !has_rows(value); });
  if (column.ordered && !values.empty()) {
    values = intervals_of(table, std::move(values));
    for (std::size_t i = 1; i < values.size(); ++i) values[i].low = values[i - 1].high + 1;
    values.front().low = 0;
    values.back().high = column.distinct - 1;
  }
  if (has_rows(missing)) values.push_back(std::move(missing));
  return values;
}

RuleSet one_rule(const BaselineTable& table, std::size_t) {
  const ClassRows all = classes_of(table, table.rows);
  const std::uint32_t others = heaviest_class(table, all);
  RuleSet best{{}, others};
  double most = table.table.weights[others] * static_cast<double>(all[others]);
  for (const TreeColumn& column : table.table.columns) {
    const std::vector<ValueRange> ranges = ranges_of(table, column);
    if (ranges.size() < 2) continue;
    RuleSet list{{}, others};
    double right = 0;
    for (const ValueRange& range : ranges) {
      std::uint32_t label = heaviest_class(table, range.rows);
      if (range.rows[label] < least_rows_of_class) {
        label = others;
      } else {
        const Comparison comparison{column.attribute, range.low, range.high, false};
        list.rules.push_back({Expression::of(comparison), label});
      }
      right += table.table.weights[label] * static_cast<double>(range.rows[label]);
    }
    if (list.rules.size() > most_single_rules || right <= most) continue;
    most = right;
    best = std::move(list);
  }
  return best;
}

/// The leaf of the best Laplace value; of equals the one of the greater weight, then the first.
std::uint32_t purest_leaf(const BaselineTable& table, const ClassTree& tree, std::size_t classes) {
  std::uint32_t best = 0;
  double best_value = -1, best_weight = 0;
  for (const std::uint32_t leaf : tree.leaves_of(tree.leaves())) {
    const ClassRows& rows = tree.nodes[leaf].rows;
    double weight = 0, most = 0;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      const double its = table.table.weights[c] * static_cast<double>(rows[c]);
      weight += its;
      most = std::max(most, its);
    }
    const double value = (most + 1) / (weight + static_cast<double>(classes));
    if (value > best_value || (value == best_value && weight > best_weight)) {
      best = leaf;
      best_value = value;
      best_weight = weight;
    }
  }
  return best;
}

/// Does a row come to this node?
bool comes_to(const BaselineTable& table, const ClassTree& tree, std::uint32_t node,
              std::uint32_t row) {
  for (; node != 0; node = tree.nodes[node].parent) {
    const TreeNode& step = tree.nodes[node];
    const std::uint32_t code = table.cells[step.comparison.attribute][row];
    if (!(code == missing_code ? step.takes_missing : takes(step.comparison, code))) return false;
  }
  return true;
}

RuleSet greedy_list(const BaselineTable& table, std::size_t most) {
  const ClassRows all = classes_of(table, table.rows);
  const auto classes =
      all.size() - static_cast<std::size_t>(std::count(all.begin(), all.end(), std::uint64_t{0}));
  RuleSet list{{}, heaviest_class(table, all)};
  std::vector<std::uint32_t> left = table.rows;
  while (list.rules.size() < most && !left.empty()) {
    const ClassTree tree = grow_tree(table.table, left, greedy_tree);
    if (tree.leaves() < 2) break;
    const std::uint32_t leaf = purest_leaf(table, tree, classes);
    list.rules.push_back({antecedent_of(tree, leaf, table.attributes),
                          heaviest_class(table, tree.nodes[leaf].rows)});
    std::erase_if(left, [&](std::uint32_t row) { return comes_to(table, tree, leaf, row); });
  }
  if (!left.empty()) list.default_class = heaviest_class(table, classes_of(table, left));
  return list;
}

RuleSet small_tree(const BaselineTable& table, std::size_t most) {
  const ClassTree tree =
      grow_tree(table.table, table.rows, {.most_leaves = most, .most_depth = deepest_leaf});
  RuleSet list;
  std::vector<std::uint32_t> leaves = tree.leaves_of(tree.leaves());
  list.default_class = heaviest_class(table, tree.nodes[leaves.back()].rows);
  leaves.pop_back();
  for (const std::uint32_t leaf : leaves) {
    list.rules.push_back({antecedent_of(tree, leaf, table.attributes),
                          heaviest_class(table, tree.nodes[leaf].rows)});
  }
  return list;
}

constexpr Baseline all_baselines[] = {{"majority", majority_class},
                                      {"one rule", one_rule},
                                      {"greedy list", greedy_list},
                                      {"tree", small_tree, true}};

}  // namespace

BaselineTable::BaselineTable(const Dataset& training, std::uint32_t class_attribute,
                             std::span<const std::string> exclude, std::vector<double> weights)
    : attributes(training.attributes()), cells(attributes.size()), rows(training.rows()) {
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const Attribute& its = attributes[a];
    const bool excluded = std::find(exclude.begin(), exclude.end(), its.name) != exclude.end();
    if (excluded && a != class_attribute) continue;
    cells[a] = all_codes(training, a);
    if (a == class_attribute) continue;
    table.columns.push_back({a, its.distinct(), its.ordered(), cells[a]});
  }
  table.classes = cells[class_attribute];
  table.weights = std::move(weights);
  std::iota(rows.begin(), rows.end(), 0U);
}

std::span<const Baseline> baselines() noexcept {
  return all_baselines;
}

}  // namespace atl
