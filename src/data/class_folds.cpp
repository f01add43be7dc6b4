#include "src/data/class_folds.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include "src/core/parallel.hpp"
#include "src/core/row_hash.hpp"

namespace atl {
namespace {

/// A row by a hash of what it has: equal rows have the same, others differ, but for a chance of
/// 2^-64 for each pair.
struct HashedRow {
  std::uint64_t hash, row;

  friend bool operator<(const HashedRow& a, const HashedRow& b) noexcept {
    return std::tie(a.hash, a.row) < std::tie(b.hash, b.row);
  }
};

struct RowHashes {
  std::vector<std::uint64_t> whole;  // [rows]
  std::vector<HashedRow> inputs;     // [rows] of all but the class
};

RowHashes row_hashes(const Dataset& dataset, std::uint32_t class_attribute, ThreadPool* pool) {
  const auto attributes = static_cast<std::uint32_t>(dataset.attributes().size());
  RowHashes hashes{std::vector<std::uint64_t>(dataset.rows()),
                   std::vector<HashedRow>(dataset.rows())};
  for_each_index(pool, dataset.partitions(), [&](std::size_t p) {
    const std::size_t first = dataset.partition_first_row(p);
    std::vector<std::uint32_t> codes(dataset.partition_rows(p));
    const auto mix = [](std::uint64_t& its, std::uint32_t code) {
      its = row_hash((its ^ code) + 0x9e3779b97f4a7c15u);
    };
    for (std::size_t r = 0; r < codes.size(); ++r) hashes.inputs[first + r].row = first + r;
    for (std::uint32_t a = 0; a < attributes; ++a) {
      dataset.codes(p, a, codes);
      for (std::size_t r = 0; r < codes.size(); ++r) mix(hashes.whole[first + r], codes[r]);
      if (a == class_attribute) continue;
      for (std::size_t r = 0; r < codes.size(); ++r) mix(hashes.inputs[first + r].hash, codes[r]);
    }
  });
  return hashes;
}

/// Rows that come to one fold.
struct Group {
  std::uint32_t label;  // that most of them have
  std::uint64_t drawn;  // by the seed
  std::uint64_t hash;
  std::uint64_t first, count;  // of its rows, by place; of one row, its number
};

/// Counts rows by class.
class ClassCounter {
 public:
  /// @param labels  [rows] a class each
  ClassCounter(const std::vector<std::uint32_t>& labels, std::size_t classes)
      : labels_(labels), counts_(classes, 0) {}

  /// Calls count(class, rows) of each class of some rows.
  template <typename Count>
  void of(std::span<const HashedRow> rows, const Count& count) {
    for (const HashedRow& row : rows) {
      if (counts_[labels_[row.row]]++ == 0) seen_.push_back(labels_[row.row]);
    }
    for (const std::uint32_t label : seen_) count(label, std::exchange(counts_[label], 0));
    seen_.clear();
  }

 private:
  const std::vector<std::uint32_t>& labels_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> seen_;
};

/// Makes groups of rows that are equal but for the class.
class EqualRows {
 public:
  /// @param rows  in the order of their hashes
  EqualRows(std::span<const HashedRow> rows, const std::vector<std::uint64_t>& whole,
            const std::vector<std::uint32_t>& labels, std::size_t classes, std::uint64_t drawn)
      : rows_(rows), whole_(whole), labels_(labels), classes_(classes), drawn_(drawn) {}

  /// @return in the order of the rows
  std::vector<Group> groups(ThreadPool* pool) const {
    constexpr std::size_t pieces_of_thread = 4;
    const std::size_t pieces = pool == nullptr ? 1 : pool->threads() * pieces_of_thread;
    std::vector<std::vector<Group>> made(pieces);
    for_each_index(pool, pieces, [&](std::size_t p) {
      made[p] = groups_of(begin_of(p, pieces), begin_of(p + 1, pieces));
    });
    if (pieces == 1) return std::move(made[0]);
    std::size_t count = 0;
    for (const std::vector<Group>& some : made) count += some.size();
    std::vector<Group> all;
    all.reserve(count);
    for (std::vector<Group>& some : made) {
      all.insert(all.end(), some.begin(), some.end());
      some = {};
    }
    return all;
  }

 private:
  /// Pieces do not part equal rows.
  std::size_t begin_of(std::size_t piece, std::size_t pieces) const {
    std::size_t at = rows_.size() * piece / pieces;
    while (at > 0 && at < rows_.size() && rows_[at].hash == rows_[at - 1].hash) ++at;
    return at;
  }

  std::vector<Group> groups_of(std::size_t begin, std::size_t end) const {
    ClassCounter counter(labels_, classes_);
    std::vector<Group> groups;
    while (begin < end) {
      std::size_t next = begin + 1;
      while (next < end && rows_[next].hash == rows_[begin].hash) ++next;
      groups.push_back(group(begin, next, counter));
      begin = next;
    }
    return groups;
  }

  Group group(std::size_t begin, std::size_t end, ClassCounter& counter) const {
    const auto its = rows_.subspan(begin, end - begin);
    std::uint32_t label = labels_[its[0].row];
    std::uint64_t most = 0;
    if (its.size() > 1) {
      counter.of(its, [&](std::uint32_t one, std::uint64_t count) {
        if (count < most || (count == most && one > label)) return;
        label = one;
        most = count;
      });
    }
    const auto of_label = std::find_if(
        its.begin(), its.end(), [&](const HashedRow& row) { return labels_[row.row] == label; });
    const std::uint64_t hash = whole_[of_label->row];
    const std::uint64_t first = its.size() == 1 ? its[0].row : begin;
    return {label, row_hash(hash ^ drawn_), hash, first, its.size()};
  }

  std::span<const HashedRow> rows_;
  const std::vector<std::uint64_t>& whole_;
  const std::vector<std::uint32_t>& labels_;
  std::size_t classes_;
  std::uint64_t drawn_;
};

/// Makes groups of one row each, drawn by what it has and how many copies come before it.
/// @param rows  in the order of their hashes, the class included
std::vector<Group> groups_of_single_rows(std::span<const HashedRow> rows,
                                         const std::vector<std::uint32_t>& labels,
                                         std::uint64_t drawn) {
  std::vector<Group> groups;
  std::uint64_t copy = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    copy = i > 0 && rows[i].hash == rows[i - 1].hash ? copy + 1 : 0;
    const std::uint64_t hash = row_hash(rows[i].hash ^ row_hash(copy));
    groups.push_back({labels[rows[i].row], row_hash(hash ^ drawn), hash, rows[i].row, 1});
  }
  return groups;
}

}  // namespace

std::vector<std::uint8_t> class_folds(const Dataset& dataset, std::uint32_t class_attribute,
                                      std::uint32_t folds, std::uint64_t seed, ThreadPool* pool) {
  assert(folds >= 1 && folds <= most_folds);
  std::vector<std::uint8_t> fold(dataset.rows(), 0);
  if (folds == 1) return fold;
  // Rows without a class have one behind the last.
  const std::uint32_t classes = dataset.attributes()[class_attribute].distinct() + 1;
  std::vector<std::uint32_t> labels = all_codes(dataset, class_attribute);
  for (std::uint32_t& label : labels) label = std::min(label, classes - 1);
  auto [whole, rows] = row_hashes(dataset, class_attribute, pool);
  sort_in_parallel(rows, std::less<>(), pool);
  const std::uint64_t drawn = row_hash(seed + 1);
  std::vector<Group> groups = EqualRows(rows, whole, labels, classes, drawn).groups(pool);
  // Where rows are copies of a few, a new row is one, too, and no fold could do without any.
  if (groups.size() < std::size_t{least_groups_of_fold} * folds) {
    for (HashedRow& row : rows) row.hash = whole[row.row];
    sort_in_parallel(rows, std::less<>(), pool);
    groups = groups_of_single_rows(rows, labels, drawn);
  }
  // The large ones first, so that the small ones make up for them.
  const auto before = [](const Group& a, const Group& b) {
    return std::tie(a.label, b.count, a.drawn, a.hash, a.first) <
           std::tie(b.label, a.count, b.drawn, b.hash, b.first);
  };
  sort_in_parallel(groups, before, pool);

  ClassCounter counter(labels, classes);
  std::vector<std::uint64_t> of_class(std::size_t{classes} * folds, 0), of_all(folds, 0);
  for (const Group& group : groups) {
    const std::uint64_t* const its = of_class.data() + std::size_t{group.label} * folds;
    std::uint32_t least = 0;
    for (std::uint32_t f = 1; f < folds; ++f) {
      if (std::tie(its[f], of_all[f]) < std::tie(its[least], of_all[least])) least = f;
    }
    const auto count = [&](std::uint32_t label, std::uint64_t its_rows) {
      of_class[std::size_t{label} * folds + least] += its_rows;
    };
    if (group.count == 1) {
      fold[group.first] = static_cast<std::uint8_t>(least);
      count(group.label, 1);
    } else {
      const auto of_group = std::span(rows).subspan(group.first, group.count);
      for (const HashedRow& row : of_group) fold[row.row] = static_cast<std::uint8_t>(least);
      counter.of(of_group, count);
    }
    of_all[least] += group.count;
  }
  return fold;
}

}  // namespace atl
