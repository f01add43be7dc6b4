#include "src/data/class_folds.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "src/core/row_hash.hpp"

namespace atl {
namespace {

/// Hashes of rows: equal ones have the same, others differ, but for a chance of 2^-64 for each
/// pair.
struct RowHashes {
  std::vector<std::uint64_t> whole;   // [rows]
  std::vector<std::uint64_t> inputs;  // [rows] of all but the class
};

RowHashes row_hashes(const Dataset& dataset, std::uint32_t class_attribute) {
  const auto attributes = static_cast<std::uint32_t>(dataset.attributes().size());
  RowHashes hashes{std::vector<std::uint64_t>(dataset.rows(), 0),
                   std::vector<std::uint64_t>(dataset.rows(), 0)};
  std::vector<std::uint32_t> codes;
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const std::size_t first = dataset.partition_first_row(p);
    codes.resize(dataset.partition_rows(p));
    const auto take_in = [&](std::vector<std::uint64_t>& all) {
      for (std::size_t r = 0; r < codes.size(); ++r) {
        std::uint64_t& its = all[first + r];
        its = row_hash((its ^ codes[r]) + 0x9e3779b97f4a7c15u);
      }
    };
    for (std::uint32_t a = 0; a < attributes; ++a) {
      dataset.codes(p, a, codes);
      take_in(hashes.whole);
      if (a != class_attribute) take_in(hashes.inputs);
    }
  }
  return hashes;
}

/// Rows that come to one fold.
struct Group {
  std::uint32_t label;  // that most of them have
  std::uint64_t drawn;  // by the seed
  std::uint64_t hash;
  std::vector<std::uint64_t>::const_iterator first, last;  // of its rows
};

/// Counts rows by class.
class ClassCounter {
 public:
  /// @param labels  [rows] a class each
  ClassCounter(const std::vector<std::uint32_t>& labels, std::size_t classes)
      : labels_(labels), counts_(classes, 0) {}

  /// Calls count(class, rows) of each class of the group.
  template <typename Rows, typename Count>
  void of(const Rows& first, const Rows& last, const Count& count) {
    for (auto row = first; row != last; ++row) {
      if (counts_[labels_[*row]]++ == 0) seen_.push_back(labels_[*row]);
    }
    for (const std::uint32_t label : seen_) count(label, std::exchange(counts_[label], 0));
    seen_.clear();
  }

 private:
  const std::vector<std::uint32_t>& labels_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> seen_;
};

using Rows = std::vector<std::uint64_t>;

/// @param keys  [rows] of which equal ones come to stand side by side, by row
void sort_by(const std::vector<std::uint64_t>& keys, Rows& rows) {
  std::sort(rows.begin(), rows.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::tie(keys[a], a) < std::tie(keys[b], b);
  });
}

/// Makes groups of rows that are equal but for the class. @param rows  in the order of their inputs
std::vector<Group> groups_of_equal_rows(const Rows& rows, const RowHashes& hashes,
                                        const std::vector<std::uint32_t>& labels,
                                        ClassCounter& counter, std::uint64_t drawn) {
  std::vector<Group> groups;
  for (auto first = rows.cbegin(); first != rows.cend();) {
    const std::uint64_t inputs = hashes.inputs[*first];
    const auto last = std::find_if(first, rows.cend(),
                                   [&](std::uint64_t row) { return hashes.inputs[row] != inputs; });
    std::uint32_t label = std::numeric_limits<std::uint32_t>::max();
    std::uint64_t most = 0;
    counter.of(first, last, [&](std::uint32_t its, std::uint64_t count) {
      if (count < most || (count == most && its > label)) return;
      label = its;
      most = count;
    });
    const auto of_label =
        std::find_if(first, last, [&](std::uint64_t row) { return labels[row] == label; });
    const std::uint64_t hash = hashes.whole[*of_label];
    groups.push_back({label, row_hash(hash ^ drawn), hash, first, last});
    first = last;
  }
  return groups;
}

/// Makes groups of one row each, drawn by what it has and how many copies come before it.
/// @param rows  by whole
std::vector<Group> groups_of_single_rows(const Rows& rows, const RowHashes& hashes,
                                         const std::vector<std::uint32_t>& labels,
                                         std::uint64_t drawn) {
  std::vector<Group> groups;
  std::uint64_t copy = 0;
  for (auto row = rows.cbegin(); row != rows.cend(); ++row) {
    const bool is_copy = row != rows.cbegin() && hashes.whole[*row] == hashes.whole[*(row - 1)];
    copy = is_copy ? copy + 1 : 0;
    const std::uint64_t hash = row_hash(hashes.whole[*row] ^ row_hash(copy));
    groups.push_back({labels[*row], row_hash(hash ^ drawn), hash, row, row + 1});
  }
  return groups;
}

}  // namespace

std::vector<std::uint8_t> class_folds(const Dataset& dataset, std::uint32_t class_attribute,
                                      std::uint32_t folds, std::uint64_t seed) {
  assert(folds >= 1 && folds <= most_folds);
  std::vector<std::uint8_t> fold(dataset.rows(), 0);
  if (folds == 1) return fold;
  // Rows without a class have one behind the last.
  const std::uint32_t classes = dataset.attributes()[class_attribute].distinct() + 1;
  std::vector<std::uint32_t> labels = all_codes(dataset, class_attribute);
  for (std::uint32_t& label : labels) label = std::min(label, classes - 1);
  const RowHashes hashes = row_hashes(dataset, class_attribute);
  Rows rows(labels.size());
  std::iota(rows.begin(), rows.end(), 0);
  sort_by(hashes.inputs, rows);
  ClassCounter counter(labels, classes);
  const std::uint64_t drawn = row_hash(seed + 1);
  std::vector<Group> groups = groups_of_equal_rows(rows, hashes, labels, counter, drawn);
  // Where rows are copies of a few, a new row is one, too, and no fold could do without any.
  if (groups.size() < std::size_t{least_groups_of_fold} * folds) {
    sort_by(hashes.whole, rows);
    groups = groups_of_single_rows(rows, hashes, labels, drawn);
  }
  // The large ones first, so that the small ones make up for them.
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    const auto size_a = a.last - a.first, size_b = b.last - b.first;
    return std::tie(a.label, size_b, a.drawn, a.hash) < std::tie(b.label, size_a, b.drawn, b.hash);
  });

  std::vector<std::uint64_t> of_class(std::size_t{classes} * folds, 0), of_all(folds, 0);
  for (const Group& group : groups) {
    const std::uint64_t* const its = of_class.data() + std::size_t{group.label} * folds;
    std::uint32_t least = 0;
    for (std::uint32_t f = 1; f < folds; ++f) {
      if (std::tie(its[f], of_all[f]) < std::tie(its[least], of_all[least])) least = f;
    }
    for (auto row = group.first; row != group.last; ++row) {
      fold[*row] = static_cast<std::uint8_t>(least);
    }
    counter.of(group.first, group.last, [&](std::uint32_t label, std::uint64_t count) {
      of_class[std::size_t{label} * folds + least] += count;
    });
    of_all[least] += static_cast<std::uint64_t>(group.last - group.first);
  }
  return fold;
}

}  // namespace atl
