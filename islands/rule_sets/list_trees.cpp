#include "islands/rule_sets/list_trees.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "src/core/parallel.hpp"
#include "src/data/row_codes.hpp"

namespace atl {
namespace {

/// Leaves of a tree for each rule that a list may have: neighbours that say the same become one.
constexpr std::size_t leaves_of_rule = 2;
/// Labels that a column may have: more have no literals, and as many branches tell nothing.
constexpr std::uint32_t most_labels = 1024;

/// Do neighbouring leaves that say the same become one? Probabilities keep them apart.
bool merges(const ListSearch& search) {
  return search.judge.goal == ListGoal::classes;
}

/// The rules of a tree, which lists of its sizes have in common.
using TreeRules = std::map<ClassRule, SharedRule>;

/// A tree of some of its leaves as a list.
class TreeList {
 public:
  TreeList(const ClassTree& tree, std::size_t leaves, const std::vector<double>& weights,
           const ListSearch& search, TreeRules& rules)
      : tree_(tree),
        known_(static_cast<std::uint32_t>(2 * leaves - 1)),
        search_(search),
        rules_(rules),
        leaves_(known_, 1),
        labels_(known_) {
    for (std::uint32_t node = known_; node-- > 0;) {
      labels_[node] = heaviest(tree.nodes[node].rows, weights);
      const std::uint32_t child = tree.nodes[node].first_child;
      if (child == 0 || child >= known_) continue;
      const std::size_t its = leaves_[child] + leaves_[child + 1];
      const bool same = its == 2 && labels_[child] == labels_[child + 1];
      leaves_[node] = merges(search) && same ? 1 : its;
    }
  }

  std::size_t rules() const noexcept { return leaves_[0] - 1; }

  SampledList list() {
    list_.default_class = labels_[0];
    emit(0, {});
    return std::move(list_);
  }

 private:
  static std::uint32_t heaviest(const std::vector<std::uint64_t>& rows,
                                const std::vector<double>& weights) {
    std::size_t best = 0;
    const auto weight = [&](std::size_t c) { return weights[c] * static_cast<double>(rows[c]); };
    for (std::size_t c = 1; c < rows.size(); ++c)
      if (weight(c) > weight(best)) best = c;
    return static_cast<std::uint32_t>(best);
  }

  /// Leaves, then rows.
  std::pair<std::size_t, std::uint64_t> size_of(std::uint32_t node) const {
    const auto& rows = tree_.nodes[node].rows;
    return {leaves_[node], std::accumulate(rows.begin(), rows.end(), std::uint64_t{0})};
  }
  std::span<const Attribute> attributes() const { return search_.sample->attributes(); }

  /// @param way  comparisons that tell its rows from those of the nodes that come later
  void emit(std::uint32_t node, const std::vector<Comparison>& way) {
    if (leaves_[node] == 1) {
      if (way.empty()) {
        list_.default_class = labels_[node];
      } else {
        ClassRule rule{grown_antecedent(way, attributes()), labels_[node]};
        SharedRule& shared = rules_[rule];
        if (shared == nullptr) shared = sampled(std::move(rule), *search_.sample);
        list_.rules.push_back(shared);
      }
      return;
    }
    const std::uint32_t child = tree_.nodes[node].first_child;
    const std::uint32_t first = size_of(child + 1) < size_of(child) ? child + 1 : child;
    std::vector<Comparison> longer = way;
    if (add(longer, tree_.nodes[first].comparison, attributes()) &&
        longer.size() <= search_.growth.most_comparisons) {
      emit(first, longer);
    }
    emit(first == child ? child + 1 : child, way);
  }

  const ClassTree& tree_;
  std::uint32_t known_;  // nodes
  const ListSearch& search_;
  TreeRules& rules_;
  std::vector<std::size_t> leaves_;    // [nodes] below each
  std::vector<std::uint32_t> labels_;  // [nodes]
  SampledList list_;
};

}  // namespace

ListTrees::ListTrees(const Dataset& dataset, std::span<const std::uint8_t> folds,
                     const ListSearch& search)
    : search_(search) {
  const ClassSample& sample = *search.sample;
  std::vector<std::uint64_t> rows;
  for (const ClassSample::Place& place : sample.places()) {
    if (rows.empty() || rows.back() != place.row) rows.push_back(place.row);
  }
  for (const std::uint64_t row : rows) folds_.push_back(folds[row]);
  classes_ = codes_of(dataset, sample.class_attribute(), rows);
  table_.classes = classes_;
  for (std::uint32_t c = 0; c < sample.classes(); ++c)
    table_.weights.push_back(search.growth.weights[c] * sample.scale(c));
  const auto attributes = sample.attributes();
  std::vector<std::uint32_t> usable;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    if (sample.first_literal(a) == sample.first_literal(a + 1)) continue;
    if (!attributes[a].ordered() && attributes[a].distinct() > most_labels) continue;
    usable.push_back(a);
  }
  codes_.resize(usable.size());
  for_each_index(search.pool, usable.size(),
                 [&](std::size_t i) { codes_[i] = codes_of(dataset, usable[i], rows); });
  for (std::size_t i = 0; i < usable.size(); ++i) {
    const Attribute& attribute = attributes[usable[i]];
    table_.columns.push_back({usable[i], attribute.distinct(), attribute.ordered(), codes_[i]});
  }
}

std::vector<SampledList> ListTrees::grow(const Part& part, Impurity impurity, double share,
                                         RandomStream& stream) const {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < classes_.size(); ++row) {
    if (part.has(folds_[row])) rows.push_back(row);
  }
  std::vector<SampledList> lists;
  TreeTable table{{}, table_.classes, table_.weights};
  for (const TreeColumn& column : table_.columns) {
    if (share >= 1 || stream.chance(share)) table.columns.push_back(column);
  }
  if (rows.empty() || table.columns.empty()) return lists;
  TreeLimits limits;
  limits.most_leaves = (search_.most_rules + 1) * (merges(search_) ? leaves_of_rule : 1);
  limits.least_rows = 2;
  limits.impurity = impurity;
  const ClassTree tree = grow_tree(table, std::move(rows), limits);
  TreeRules rules;
  for (std::size_t leaves = 2; leaves <= tree.leaves(); ++leaves) {
    TreeList made(tree, leaves, table.weights, search_, rules);
    if (made.rules() > search_.most_rules) break;
    if (made.rules() > 0) lists.push_back(made.list());
  }
  return lists;
}

}  // namespace atl
