#include "src/data/class_folds.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "src/core/parallel.hpp"
#include "src/core/row_hash.hpp"
#include "src/core/time_line.hpp"

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

using RowsByHash = Dealt<HashedRow>;

/// Buckets by the first bits of hashes: enough that the rows of one fit into a core's cache.
constexpr unsigned most_bucket_bits = 12;
constexpr std::size_t rows_of_bucket = 512;

/// Parts hashes by their first bits.
struct HashBits {
  unsigned bits;

  explicit HashBits(std::size_t rows, std::size_t classes = 1)
      : bits(std::clamp(static_cast<unsigned>(std::bit_width(rows / rows_of_bucket / classes)), 1U,
                        most_bucket_bits)) {}
  std::size_t count() const noexcept { return std::size_t{1} << bits; }
  std::size_t of(std::uint64_t hash) const noexcept { return hash >> (64 - bits); }
};

/// Sorts each bucket.
void sort_buckets(const RowsByHash& rows, ThreadPool* pool) {
  for_each_index(pool, rows.buckets(), [&](std::size_t b) {
    const auto its = rows.of(b, b + 1);
    std::sort(its.begin(), its.end());
  });
}

/// What is known of each row. [rows]
struct RowHashes {
  std::unique_ptr<std::uint64_t[]> whole, inputs;  // of all, and of all but the class
  std::unique_ptr<std::uint32_t[]> labels;         // those without a class have one behind the last
};

RowHashes row_hashes(const Dataset& dataset, std::uint32_t class_attribute, ThreadPool* pool) {
  const auto attributes = static_cast<std::uint32_t>(dataset.attributes().size());
  const std::uint32_t no_label = dataset.attributes()[class_attribute].distinct();
  RowHashes hashes{std::make_unique_for_overwrite<std::uint64_t[]>(dataset.rows()),
                   std::make_unique_for_overwrite<std::uint64_t[]>(dataset.rows()),
                   std::make_unique_for_overwrite<std::uint32_t[]>(dataset.rows())};
  for_each_index(pool, dataset.partitions(), [&](std::size_t p) {
    const std::size_t first = dataset.partition_first_row(p);
    std::vector<std::uint32_t> codes(dataset.partition_rows(p));
    std::uint64_t* const whole = hashes.whole.get() + first;
    std::uint64_t* const inputs = hashes.inputs.get() + first;
    const auto mix = [](std::uint64_t& its, std::uint32_t code) {
      its = row_hash((its ^ code) + 0x9e3779b97f4a7c15u);
    };
    std::fill_n(whole, codes.size(), 0);
    std::fill_n(inputs, codes.size(), 0);
    for (std::uint32_t a = 0; a < attributes; ++a) {
      dataset.codes(p, a, codes);
      for (std::size_t r = 0; r < codes.size(); ++r) mix(whole[r], codes[r]);
      if (a == class_attribute) {
        for (std::size_t r = 0; r < codes.size(); ++r)
          hashes.labels[first + r] = std::min(codes[r], no_label);
      } else {
        for (std::size_t r = 0; r < codes.size(); ++r) mix(inputs[r], codes[r]);
      }
    }
  });
  return hashes;
}

/// Several rows that come to one fold.
struct Group {
  std::uint32_t label;  // that most of them have
  std::uint64_t drawn;  // by the seed
  std::uint64_t hash;
  std::uint64_t first, count;  // of its rows, by place
};

/// Counts rows by class.
class ClassCounter {
 public:
  /// @param labels  [rows] a class each
  ClassCounter(const std::uint32_t* labels, std::size_t classes)
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
  const std::uint32_t* labels_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> seen_;
};

/// Makes groups of rows that are equal but for the class.
class EqualRows {
 public:
  EqualRows(const RowHashes& hashes, std::size_t rows, std::size_t classes, std::uint64_t drawn,
            ThreadPool* pool)
      : hashes_(hashes), classes_(classes), drawn_(drawn) {
    const HashBits bits(rows);
    rows_ = deal_in_parallel<HashedRow>(
        rows, bits.count(),
        [&](std::size_t row, const auto& take) {
          take(bits.of(hashes.inputs[row]), {hashes.inputs[row], row});
        },
        pool);
    sort_buckets(rows_, pool);
    std::vector<std::vector<Group>> made(rows_.buckets());
    std::vector<std::size_t> single(rows_.buckets(), 0);
    for_each_index(pool, rows_.buckets(), [&](std::size_t b) { look_at(b, made[b], single[b]); });
    std::size_t several = 0;
    for (const std::vector<Group>& some : made) several += some.size();
    groups_.reserve(several);
    for (std::vector<Group>& some : made) {
      groups_.insert(groups_.end(), some.begin(), some.end());
      some = {};
    }
    distinct_ = std::accumulate(single.begin(), single.end(), several);
  }

  /// Those of several rows, in any order that depends on no number of threads.
  std::vector<Group>& groups() noexcept { return groups_; }
  std::span<const HashedRow> rows_of(const Group& group) const noexcept {
    return {rows_.items.get() + group.first, group.count};
  }
  std::size_t distinct() const noexcept { return distinct_; }

 private:
  void look_at(std::size_t bucket, std::vector<Group>& groups, std::size_t& single) const {
    ClassCounter counter(hashes_.labels.get(), classes_);
    const std::size_t end = rows_.begins[bucket + 1];
    for (std::size_t at = rows_.begins[bucket], next = at; at < end; at = next) {
      while (next < end && rows_.items[next].hash == rows_.items[at].hash) ++next;
      if (next == at + 1) {
        ++single;
      } else {
        groups.push_back(group(at, next - at, counter));
      }
    }
  }

  Group group(std::size_t first, std::size_t count, ClassCounter& counter) const {
    const std::span<const HashedRow> its(rows_.items.get() + first, count);
    std::uint32_t label = 0;
    std::uint64_t most = 0;
    counter.of(its, [&](std::uint32_t one, std::uint64_t rows) {
      if (rows < most || (rows == most && one > label)) return;
      label = one;
      most = rows;
    });
    const auto of_label = std::find_if(its.begin(), its.end(), [&](const HashedRow& row) {
      return hashes_.labels[row.row] == label;
    });
    const std::uint64_t hash = hashes_.whole[of_label->row];
    return {label, row_hash(hash ^ drawn_), hash, first, count};
  }

  const RowHashes& hashes_;
  std::size_t classes_;
  std::uint64_t drawn_;
  RowsByHash rows_;  // by what they have but for the class
  std::vector<Group> groups_;
  std::size_t distinct_;
};

/// Makes copies of a row differ: the hash of each becomes one of what it has and how many copies
/// come before it.
void tell_copies_apart(RowHashes& hashes, std::size_t count, ThreadPool* pool) {
  const HashBits bits(count);
  const RowsByHash rows = deal_in_parallel<HashedRow>(
      count, bits.count(),
      [&](std::size_t row, const auto& take) {
        take(bits.of(hashes.whole[row]), {hashes.whole[row], row});
      },
      pool);
  sort_buckets(rows, pool);
  for_each_index(pool, rows.buckets(), [&](std::size_t b) {
    const auto its = rows.of(b, b + 1);
    std::uint64_t copy = 0;
    for (std::size_t i = 0; i < its.size(); ++i) {
      copy = i > 0 && its[i].hash == its[i - 1].hash ? copy + 1 : 0;
      hashes.whole[its[i].row] = row_hash(its[i].hash ^ row_hash(copy));
    }
  });
}

/// Deals rows to the folds that have the fewest of their class, of equals to that with the fewest
/// rows.
class FoldDealer {
 public:
  /// @param fold  [rows] overwritten
  FoldDealer(std::vector<std::uint8_t>& fold, std::size_t classes, std::uint32_t folds)
      : fold_(fold), folds_(folds), of_class_(classes * folds, 0), of_all_(folds, 0) {}

  void deal_group(std::uint32_t label, std::span<const HashedRow> rows, ClassCounter& counter) {
    const std::uint32_t to = least(label);
    for (const HashedRow& row : rows) fold_[row.row] = static_cast<std::uint8_t>(to);
    counter.of(rows, [&](std::uint32_t one, std::uint64_t its) { add(one, to, its); });
  }

  /// Deals rows of a class one after the other.
  void deal(std::uint32_t label, std::span<const HashedRow> rows, ThreadPool* pool) {
    for (; !rows.empty() && !is_even(label); rows = rows.subspan(1)) {
      const std::uint32_t to = least(label);
      fold_[rows[0].row] = static_cast<std::uint8_t>(to);
      add(label, to, 1);
    }
    if (rows.empty()) return;
    // Folds that have as many of the class as each other take turns.
    std::vector<std::uint32_t> order(folds_);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return of_all_[a] < of_all_[b]; });
    constexpr std::size_t rows_of_piece = std::size_t{1} << 15;
    const std::size_t pieces = rows.size() / rows_of_piece + 1;
    for_each_index(pieces == 1 ? nullptr : pool, pieces, [&](std::size_t p) {
      const std::size_t end = rows.size() * (p + 1) / pieces;
      for (std::size_t i = rows.size() * p / pieces; i < end; ++i)
        fold_[rows[i].row] = static_cast<std::uint8_t>(order[i % folds_]);
    });
    for (std::uint32_t turn = 0; turn < folds_; ++turn)
      add(label, order[turn], rows.size() / folds_ + (turn < rows.size() % folds_ ? 1 : 0));
  }

 private:
  std::span<std::uint64_t> of_class(std::uint32_t label) {
    return std::span(of_class_).subspan(std::size_t{label} * folds_, folds_);
  }
  std::uint32_t least(std::uint32_t label) {
    const auto its = of_class(label);
    std::uint32_t least = 0;
    for (std::uint32_t f = 1; f < folds_; ++f) {
      if (std::tie(its[f], of_all_[f]) < std::tie(its[least], of_all_[least])) least = f;
    }
    return least;
  }
  bool is_even(std::uint32_t label) {
    const auto its = of_class(label);
    return std::all_of(its.begin(), its.end(), [&](std::uint64_t rows) { return rows == its[0]; });
  }
  void add(std::uint32_t label, std::uint32_t to, std::uint64_t rows) {
    of_class(label)[to] += rows;
    of_all_[to] += rows;
  }

  std::vector<std::uint8_t>& fold_;
  std::uint32_t folds_;
  std::vector<std::uint64_t> of_class_;  // [classes][folds] rows
  std::vector<std::uint64_t> of_all_;    // [folds] rows
};

constexpr std::uint8_t is_grouped = 1;  // until a row has a fold

/// Rows of which no other is a copy, by class, and those of a class as they are drawn.
RowsByHash single_rows(const RowHashes& hashes, std::span<const std::uint8_t> grouped,
                       const HashBits& bits, std::size_t classes, std::uint64_t drawn,
                       ThreadPool* pool) {
  RowsByHash rows = deal_in_parallel<HashedRow>(
      grouped.size(), classes * bits.count(),
      [&](std::size_t row, const auto& take) {
        if (grouped[row] == is_grouped) return;
        const std::uint64_t hash = row_hash(hashes.whole[row] ^ drawn);
        take(hashes.labels[row] * bits.count() + bits.of(hash), {hash, row});
      },
      pool);
  sort_buckets(rows, pool);
  return rows;
}

}  // namespace

std::vector<std::uint8_t> class_folds(const Dataset& dataset, std::uint32_t class_attribute,
                                      std::uint32_t folds, std::uint64_t seed, ThreadPool* pool) {
  assert(folds >= 1 && folds <= most_folds);
  std::vector<std::uint8_t> fold(dataset.rows(), 0);
  if (folds == 1) return fold;
  const std::size_t classes = std::size_t{dataset.attributes()[class_attribute].distinct()} + 1;
  RowHashes hashes = in_phase("hashes", [&] { return row_hashes(dataset, class_attribute, pool); });
  const std::uint64_t drawn = row_hash(seed + 1);
  EqualRows equal =
      in_phase("equal rows", [&] { return EqualRows(hashes, fold.size(), classes, drawn, pool); });
  hashes.inputs.reset();
  std::vector<Group>& groups = equal.groups();
  // Where rows are copies of a few, a new row is one, too, and no fold could do without any.
  if (equal.distinct() < std::size_t{least_groups_of_fold} * folds) {
    tell_copies_apart(hashes, fold.size(), pool);
    groups.clear();
  }
  for (const Group& group : groups) {
    for (const HashedRow& row : equal.rows_of(group)) fold[row.row] = is_grouped;
  }
  const TimedPhase phase("deal");
  // The large ones first, so that the small ones make up for them.
  const auto before = [](const Group& a, const Group& b) {
    return std::tie(a.label, b.count, a.drawn, a.hash, a.first) <
           std::tie(b.label, a.count, b.drawn, b.hash, b.first);
  };
  sort_in_parallel(groups, before, pool);
  const HashBits bits(fold.size(), classes);
  const RowsByHash singles = single_rows(hashes, fold, bits, classes, drawn, pool);

  ClassCounter counter(hashes.labels.get(), classes);
  FoldDealer dealer(fold, classes, folds);
  auto group = groups.begin();
  for (std::uint32_t label = 0; label < classes; ++label) {
    for (; group != groups.end() && group->label == label; ++group)
      dealer.deal_group(label, equal.rows_of(*group), counter);
    dealer.deal(label, singles.of(label * bits.count(), (label + 1) * bits.count()), pool);
  }
  return fold;
}

}  // namespace atl
