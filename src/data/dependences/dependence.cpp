#include "src/data/dependences/dependence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "src/data/dependences/sample.hpp"
#include "src/data/pair_counts.hpp"

namespace atl {
namespace {

// Screens pairs of attributes A and B. Of two rows with the same A that differ in B,
// one is an exception, and a row is in two such pairs at most. So if B depends on A at most 10% of
// the rows off B's mode differ from the next row of their A; if it does not, half of them do, since
// at most half of the rows have such a value. Exceptions of the halves are no fewer than those of
// the most frequent B of all.

constexpr std::uint64_t most_rows_counted = std::uint64_t{1} << 29;  // over all pairs

constexpr std::size_t fewest_pairs = 64;  // whatever the rows are

/// @param slack  in standard deviations, of what is drawn
double at_most(double expected, double slack) {
  return expected + slack * std::sqrt(expected);
}

struct Pair {
  std::uint32_t by, told;
  double exceptions;  // a share, by which pairs are taken up
};

bool before(const Pair& a, const Pair& b) {
  return std::tie(a.exceptions, a.by, a.told) < std::tie(b.exceptions, b.by, b.told);
}

/// A row with the same value of an attribute for each row of the sample: the next one of the
/// sample's order, which is as good as any; the row itself where there is none.
std::vector<std::uint32_t> next_of_value(const SampleColumn& column) {
  std::vector<std::uint32_t> next(column.labels.size());
  std::vector<std::uint32_t> last(column.codes.size(), SampleColumn::no_label);
  for (std::size_t i = next.size(); i-- > 0;) {
    const auto row = static_cast<std::uint32_t>(i);
    const std::uint32_t label = column.labels[i];
    const bool alone = label == column.missing_label || last[label] == SampleColumn::no_label;
    next[i] = alone ? row : last[label];
    last[label] = row;
  }
  return next;
}

/// Rows off the mode, in the sample's order, at most `most`.
std::vector<std::uint32_t> off_mode_rows(const SampleColumn& column, std::size_t most) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < column.labels.size() && rows.size() < most; ++i) {
    const std::uint32_t label = column.labels[i];
    if (label != column.mode && label != column.missing_label) rows.push_back(i);
  }
  return rows;
}

// Screens pairs of attributes A and B. Of two rows with the same A that differ in B,
// one is an exception, and a row is in two such pairs at most. So if B depends on A at most 10% of
// the rows off B's mode differ from the next row of their A; if it does not, half of them do, since
// at most half of the rows have such a value. Exceptions of the halves are no fewer than those of
// the most frequent B of all.
class Screen {
 public:
  Screen(const DependenceSample& sample, std::span<const std::uint32_t> attributes, double slack)
      : sample_(sample), slack_(slack) {
    for (const std::uint32_t a : attributes)
      rows_.push_back(off_mode_rows(sample.column(a), most_looks));
  }

  /// The share of differing pairs; none if there are too many.
  std::optional<double> differing(std::span<const std::uint32_t> next, std::size_t told,
                                  std::uint32_t attribute) const {
    const SampleColumn& column = sample_.column(attribute);
    const auto& rows = rows_[told];
    std::size_t differ = 0;
    std::size_t last = 0;
    for (const std::size_t looks : {std::min(first_looks, rows.size()), rows.size()}) {
      std::size_t most = most_drawn(looks);
      if (looks == rows.size() && looks < most_looks) most = std::min(most, most_of_all(looks));
      for (; last < looks; ++last) {
        const std::uint32_t label = column.labels[next[rows[last]]];
        if (label == column.labels[rows[last]] || label == column.missing_label) continue;
        if (++differ > most) return std::nullopt;
      }
    }
    return static_cast<double>(differ) / static_cast<double>(rows.size());
  }

 private:
  static constexpr std::size_t first_looks = 64, most_looks = 1024;

  /// 10%, and six standard deviations of what is drawn.
  static std::size_t most_drawn(std::size_t looks) {
    const auto n = static_cast<double>(looks);
    return static_cast<std::size_t>(n / 10 + 2 * std::sqrt(n));
  }
  std::size_t most_of_all(std::size_t off_mode) const {
    return 2 * static_cast<std::size_t>(at_most(static_cast<double>(off_mode) / 20, slack_));
  }

  const DependenceSample& sample_;
  double slack_;
  std::vector<std::vector<std::uint32_t>> rows_;  // [attributes] off the mode
};

PairCounts::Outcome count_in_sample(const DependenceSample& sample, const Pair& pair) {
  const SampleColumn& a = sample.column(pair.by);
  const SampleColumn& b = sample.column(pair.told);
  PairCounts counts(static_cast<std::uint32_t>(a.codes.size()),
                    static_cast<std::uint32_t>(b.codes.size()));
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    if (a.labels[i] == a.missing_label || b.labels[i] == b.missing_label) continue;
    counts.add(a.labels[i], b.labels[i], sample.halves()[i]);
  }
  PairCounts::Outcome outcome = counts.outcome();
  // A finding in one half of the sample alone may be in both halves of all rows.
  if (!sample.is_whole()) outcome.exceptions = outcome.least_exceptions;
  return outcome;
}

PairCounts::Outcome count_in_all(const Dataset& dataset, const Pair& pair) {
  PairCounts counts(dataset.attributes()[pair.by].distinct(),
                    dataset.attributes()[pair.told].distinct());
  std::vector<std::uint32_t> a, b;
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const auto rows = static_cast<std::size_t>(dataset.partition_rows(p));
    a.resize(rows);
    b.resize(rows);
    dataset.codes(p, pair.by, a);
    dataset.codes(p, pair.told, b);
    const std::uint64_t first = dataset.partition_first_row(p);
    for (std::size_t i = 0; i < rows; ++i) {
      if (a[i] == missing_code || b[i] == missing_code) continue;
      counts.add(a[i], b[i], half_of(dataset, first + i));
    }
  }
  return counts.outcome();
}

bool depends(const PairCounts::Outcome& outcome, std::size_t attributes, double slack) {
  const auto exceptions = static_cast<double>(outcome.exceptions);
  const auto pairs = static_cast<double>(attributes) * static_cast<double>(attributes);
  return exceptions <= at_most(static_cast<double>(outcome.rows) / 100, slack) &&
         exceptions <= at_most(static_cast<double>(outcome.off_mode) / 20, slack) &&
         beyond_chance(outcome.log_ways, pairs);
}

bool mostly_single(const Attribute& attribute) {
  std::uint64_t rows = 0, alone = 0;
  for (const std::uint64_t count : attribute.counts) {
    rows += count;
    alone += count == 1 ? 1 : 0;
  }
  return alone * 20 > rows;
}

/// @return whether all are left
bool keep_best(std::vector<Pair>& pairs, std::uint64_t rows) {
  std::sort(pairs.begin(), pairs.end(), before);
  const auto most = static_cast<std::size_t>(most_rows_counted / std::max<std::uint64_t>(rows, 1));
  if (pairs.size() <= std::max(most, fewest_pairs)) return true;
  pairs.resize(std::max(most, fewest_pairs));
  return false;
}

/// Finds determinations between attributes that vary, of copies the first alone, as
/// find_dependences says.
/// @param attributes  ascending
/// @param found  overwritten
/// @return whether all was looked at
bool find_determinations(const DependenceSample& sample, std::span<const std::uint32_t> attributes,
                         std::span<const AttributeGroup> copies, ThreadPool& pool,
                         std::vector<Determination>& found) {
  found.clear();
  std::vector<bool> repeats(sample.dataset().attributes().size());
  for (const AttributeGroup& group : copies)
    for (std::size_t i = 1; i < group.size(); ++i) repeats[group[i]] = true;
  std::vector<std::uint32_t> kept;  // of those that vary in the sample
  for (const std::uint32_t a : attributes)
    if (!repeats[a] && sample.column(a).off_mode() > 0) kept.push_back(a);

  const double slack = sample.is_whole() ? 0 : 3;
  const Screen screen(sample, kept, slack);
  std::vector<std::vector<Pair>> by(kept.size());
  pool.wait(pool.submit(kept.size(), [&](std::size_t i, unsigned) {
    const SampleColumn& column = sample.column(kept[i]);
    if (column.mostly_single() || mostly_single(sample.dataset().attributes()[kept[i]])) return;
    const auto next = next_of_value(column);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (k == i) continue;
      const auto differing = screen.differing(next, k, kept[k]);
      if (differing) by[i].push_back({kept[i], kept[k], *differing});
    }
  }));
  std::vector<Pair> pairs;
  for (const auto& some : by) pairs.insert(pairs.end(), some.begin(), some.end());

  // Counts the pairs and keeps those that depend.
  std::vector<Determination> counted;
  const auto count = [&](double slack, auto outcome_of) {
    std::vector<PairCounts::Outcome> outcomes(pairs.size());
    pool.wait(pool.submit(pairs.size(),
                          [&](std::size_t i, unsigned) { outcomes[i] = outcome_of(pairs[i]); }));
    std::vector<Pair> left;
    counted.clear();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const PairCounts::Outcome& outcome = outcomes[i];
      if (!depends(outcome, kept.size(), slack)) continue;
      left.push_back({pairs[i].by, pairs[i].told,
                      static_cast<double>(outcome.exceptions) / static_cast<double>(outcome.rows)});
      counted.push_back({pairs[i].by, pairs[i].told, outcome.rows, outcome.exceptions});
    }
    pairs = std::move(left);
  };
  bool complete = keep_best(pairs, sample.rows());
  count(slack, [&](const Pair& pair) { return count_in_sample(sample, pair); });
  if (!sample.is_whole()) {
    complete = keep_best(pairs, sample.dataset().rows()) && complete;
    count(0, [&](const Pair& pair) { return count_in_all(sample.dataset(), pair); });
  }
  found = std::move(counted);
  std::sort(found.begin(), found.end(), [](const Determination& x, const Determination& y) {
    return std::tie(x.by, x.told) < std::tie(y.by, y.told);
  });
  return complete;
}

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_attributes = 2048;  // of which pairs are looked at

bool contains(const AttributeGroup& ascending, std::uint32_t attribute) noexcept {
  return std::binary_search(ascending.begin(), ascending.end(), attribute);
}

bool is_constant(const Attribute& attribute) {
  return std::count_if(attribute.counts.begin(), attribute.counts.end(),
                       [](std::uint64_t rows) { return rows > 0; }) < 2;
}

}  // namespace

Dependences::Dependences(DependencesFound found, std::size_t attributes)
    : found_(std::move(found)),
      class_of_(attributes),
      told_by_(attributes),
      one_hot_group_(attributes, none),
      missing_group_(attributes, none) {
  for (std::uint32_t a = 0; a < attributes; ++a) class_of_[a] = a;
  for (const AttributeGroup& copies : found_.copies)
    for (const std::uint32_t a : copies) class_of_[a] = copies.front();
  const auto add = [&](std::uint32_t by, std::uint32_t told) {
    told_by_[class_of_[told]].push_back(class_of_[by]);
  };
  for (const Determination& one : found_.determinations) add(one.by, one.told);
  for (const Sum& sum : found_.sums) {
    for (const std::uint32_t part : {sum.first, sum.second}) {
      add(sum.whole, part);
      add(part, sum.whole);
    }
  }
  for (AttributeGroup& classes : told_by_) {
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  }
  for (std::uint32_t g = 0; g < found_.one_hot.size(); ++g)
    for (const std::uint32_t a : found_.one_hot[g]) one_hot_group_[class_of_[a]] = g;
  for (std::uint32_t g = 0; g < found_.missing_together.size(); ++g)
    for (const std::uint32_t a : found_.missing_together[g]) missing_group_[a] = g;
}

bool Dependences::tells(std::uint32_t a, std::uint32_t b) const noexcept {
  if (a >= class_of_.size() || b >= class_of_.size() || a == b) return false;
  return class_of_[a] == class_of_[b] || contains(told_by_[class_of_[b]], class_of_[a]);
}

std::optional<std::size_t> Dependences::group_of(std::uint32_t attribute) const noexcept {
  if (attribute >= class_of_.size()) return std::nullopt;
  const std::uint32_t group = one_hot_group_[class_of_[attribute]];
  if (group == none) return std::nullopt;
  return group;
}

bool Dependences::relates(std::span<const std::uint32_t> antecedent,
                          std::uint32_t consequent) const {
  for (const std::uint32_t a : antecedent)
    if (tells(a, consequent)) return true;
  const auto group = group_of(consequent);
  if (!group || antecedent.empty()) return false;
  if (std::all_of(antecedent.begin(), antecedent.end(),
                  [&](std::uint32_t a) { return group_of(a) == group; }))
    return true;
  const auto named = [&](std::uint32_t member) {
    return class_of_[member] == class_of_[consequent] ||
           std::any_of(antecedent.begin(), antecedent.end(), [&](std::uint32_t a) {
             return a < class_of_.size() && class_of_[a] == class_of_[member];
           });
  };
  const AttributeGroup& members = found_.one_hot[*group];
  return std::all_of(members.begin(), members.end(), named);
}

const AttributeGroup* Dependences::one_hot_of(std::uint32_t attribute) const noexcept {
  const auto group = group_of(attribute);
  if (!group || !contains(found_.one_hot[*group], attribute)) return nullptr;
  return &found_.one_hot[*group];
}

bool Dependences::missing_together(std::uint32_t a, std::uint32_t b) const noexcept {
  return a < missing_group_.size() && b < missing_group_.size() && missing_group_[a] != none &&
         missing_group_[a] == missing_group_[b];
}

AttributeGroup Dependences::telling(std::uint32_t attribute) const {
  AttributeGroup found;
  const auto group = group_of(attribute);
  for (std::uint32_t a = 0; a < class_of_.size(); ++a) {
    if (a == attribute) continue;
    if (tells(a, attribute) || (group && group_of(a) == group)) found.push_back(a);
  }
  return found;
}

Dependences find_dependences(const Dataset& exact, ThreadPool& pool) {
  const auto attributes = exact.attributes();
  DependencesFound found;
  AttributeGroup varied;
  for (std::uint32_t a = 0; a < attributes.size(); ++a)
    (is_constant(attributes[a]) ? found.constants : varied).push_back(a);
  if (exact.rows() > 0 && varied.size() > 1) {
    const DependenceSample sample(exact, varied, pool);
    found.copies = find_copies(sample, pool);
    found.missing_together = find_missing_together(sample);
    if (varied.size() > most_attributes) {
      varied.resize(most_attributes);
      found.complete = false;
    }
    found.one_hot = find_one_hot(sample, varied);
    found.sums = find_sums(sample, varied, found.copies);
    found.complete =
        find_determinations(sample, varied, found.copies, pool, found.determinations) &&
        found.complete;
  }
  return {std::move(found), attributes.size()};
}

}  // namespace atl
