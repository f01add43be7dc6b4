// Frequent itemsets from bit columns. Included by itemset_kernel.cpp once for each instruction set;
// hence the guard that toggles.
#if defined(ATOLL_ITEMSET_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_ITEMSET_COLUMNS_INL
#undef ATOLL_ITEMSET_COLUMNS_INL
#else
#define ATOLL_ITEMSET_COLUMNS_INL
#endif

#include "src/exhaustive/itemsets/column_steps-inl.hpp"
#include "src/exhaustive/itemsets/itemset_tables-inl.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

// All sets of at most 8 items by AND: those with the last item are those without it AND its column.
// @param supports  [2^Items vectors' worth] of all sets; that of the empty set is 0
template <int Items, typename V>
HWY_INLINE void supports_of_all(const BitColumns& columns, V* supports) {
  const hn::ScalableTag<std::uint64_t> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr int lane_items = std::countr_zero(lanes);
  constexpr std::size_t vectors = (std::size_t{1} << Items) / lanes;
  alignas(64) static constexpr std::uint64_t lane_has[3][8] = {
      {0, 1, 0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 0, 0, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}};
  const V all = hn::Set(d, ~std::uint64_t{0});
  for (std::size_t k = 0; k < vectors; ++k) supports[k] = hn::Zero(d);
  for (std::size_t w = 0; w < columns.word_rows; ++w) {
    const std::uint64_t* const row = columns.words + w * columns.stride;
    V rows[vectors];
    rows[0] = all;
    for (int i = 0; i < lane_items; ++i) {
      const auto has = hn::Ne(hn::Load(d, lane_has[i]), hn::Zero(d));
      rows[0] = hn::And(rows[0], hn::IfThenElse(has, hn::Set(d, row[i]), all));
    }
    for (int i = lane_items; i < Items; ++i) {
      const V column = hn::Set(d, row[i]);
      const std::size_t half = std::size_t{1} << (i - lane_items);
      for (std::size_t k = 0; k < half; ++k) rows[half + k] = hn::And(rows[k], column);
    }
    for (std::size_t k = 0; k < vectors; ++k) {
      supports[k] =
          hn::Add(supports[k], hn::ShiftLeftSame(hn::PopulationCount(rows[k]), columns.shifts[w]));
    }
  }
  supports[0] = hn::IfThenZeroElse(hn::FirstN(d, 1), supports[0]);
}

template <typename Output>
class ColumnMiner {
 public:
  ColumnMiner(const ItemsetLimits& limits, ColumnMemory& memory, Output& output)
      : limits_(limits), memory_(memory), stack_(memory.stack), output_(output) {}

  // @param merged  its equal rows have just been joined
  void mine(const BitColumns& columns, const Prefix& prefix, bool merged) {
    const std::size_t items = columns.items;
    if (items <= 2) return mine_pair(columns, prefix);
    // The trials behind these limits: docs/notes/itemsets.md.
    if (items <= 8 && columns.word_rows <= 24) return mine_all(columns, prefix);
    if (columns.word_rows > 1 || items <= 8) {
      const std::size_t most = most_table_items(columns, 14);
      if (items <= most) {
        return prefix.support < 65536 ? mine_table<std::uint16_t>(columns, prefix)
                                      : mine_table<std::uint32_t>(columns, prefix);
      }
      if (!merged && items >= most + 3 && items <= 64 && columns.word_rows >= 8 &&
          may_have_equal_rows(columns, prefix)) {
        const StackScope scope(stack_);
        return mine(memory_.merger.merge(columns, stack_), prefix, true);
      }
    }
    OpenLoop loop{prefix, 0, items, nullptr, &columns};
    mine_each(loop);
  }

  void mine(const Branch& branch) {
    OpenLoop loop = loop_of(branch);
    mine_each(loop);
  }

 private:
  using D = hn::ScalableTag<std::uint64_t>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = word_lanes;

  bool may_grow(std::uint32_t length) const { return length < limits_.max_length; }

  void mine_pair(const BitColumns& columns, const Prefix& prefix) {
    std::uint64_t both = 0;
    if (columns.items == 2 && may_grow(prefix.length + 1)) {
      for (std::size_t w = 0; w < columns.word_rows; ++w) {
        const std::uint64_t* const row = columns.words + w * columns.stride;
        both += static_cast<std::uint64_t>(std::popcount(row[0] & row[1])) << columns.shifts[w];
      }
    }
    if constexpr (Output::lists) {
      for (std::size_t i = 0; i < columns.items; ++i) {
        output_.add(columns.names[i]);
        output_.found(prefix.length + 1, columns.supports[i]);
        if (i == 1 && both >= limits_.min_count) {
          output_.add(columns.names[0]);
          output_.found(prefix.length + 2, static_cast<std::uint32_t>(both));
          output_.remove();
        }
        output_.remove();
      }
    } else {
      output_.tally.add(prefix.perfect, prefix.length + 1, columns.items);
      if (both >= limits_.min_count) output_.tally.add(prefix.perfect, prefix.length + 2, 1);
    }
  }

  void mine_all(const BitColumns& columns, const Prefix& prefix) {
    switch (columns.items) {
      case 3:
        return mine_all<3>(columns, prefix);
      case 4:
        return mine_all<4>(columns, prefix);
      case 5:
        return mine_all<5>(columns, prefix);
      case 6:
        return mine_all<6>(columns, prefix);
      case 7:
        return mine_all<7>(columns, prefix);
      default:
        return mine_all<8>(columns, prefix);
    }
  }

  template <int Items>
  void mine_all(const BitColumns& columns, const Prefix& prefix) {
    V found[(std::size_t{1} << Items) / lanes];
    supports_of_all<Items>(columns, found);
    hand_over<Items>(found, {columns.names, Items}, prefix, limits_, output_);
  }

  template <typename T>
  void mine_table(const BitColumns& columns, const Prefix& prefix) {
    using Miner = TableMiner<T, Output>;
    const StackScope scope(stack_);
    const int items = std::max(static_cast<int>(columns.items), Miner::least_items);
    const std::size_t size = std::size_t{1} << items;
    T* const table = stack_.array<T>(size);
    std::fill_n(table, size, T{0});

    std::array<std::uint16_t, 64 + hn::MaxLanes(hn::ScalableTag<std::uint16_t>())> sets;
    for (std::size_t w = 0; w < columns.word_rows; ++w) {
      const std::size_t rows =
          sets_of_rows(columns.words + w * columns.stride, columns.items, sets.data());
      const T weight = static_cast<T>(std::uint32_t{1} << columns.shifts[w]);
      for (std::size_t r = 0; r < rows; ++r)
        table[sets[r]] = static_cast<T>(table[sets[r]] + weight);
    }
    Miner(limits_, {columns.names, columns.items}, output_).mine(table, items, prefix);
  }

  // The sets of items that 64 rows have, as numbers; of rows that have any.
  static std::size_t sets_of_rows(const std::uint64_t* columns, std::size_t items,
                                  std::uint16_t* sets) {
    const hn::ScalableTag<std::uint16_t> d;
    constexpr std::size_t at_once = hn::MaxLanes(d);
    std::size_t rows = 0;
    for (std::size_t first = 0; first < 64; first += at_once) {
      auto set = hn::Zero(d);
      for (std::size_t i = 0; i < items; ++i) {
        const auto bit = hn::Set(d, static_cast<std::uint16_t>(1U << i));
        if constexpr (at_once < 8) {  // no whole byte of a column
          if ((columns[i] >> first & 1) != 0) set = hn::Or(set, bit);
        } else {
          const auto* const bytes = reinterpret_cast<const std::uint8_t*>(columns + i) + first / 8;
          set = hn::Or(set, hn::IfThenElseZero(hn::LoadMaskBits(d, bytes), bit));
        }
      }
      std::uint64_t some = 0;
      store_mask(d, hn::Ne(set, hn::Zero(d)), 0, &some);
      rows += store_some(d, set, some, sets + rows);
    }
    return rows;
  }

  // Sets that grow from each item by those before it.
  void mine_each(OpenLoop& loop) {
    const BitColumns& columns = *loop.columns;
    const OpenScope open(output_.trail, loop);
    const StackScope scope(stack_);
    std::uint64_t* const counts = stack_.words(columns.stride);
    std::uint8_t* const kept = stack_.array<std::uint8_t>(columns.stride);
    auto* const supports = stack_.array<std::uint32_t>(columns.stride + lanes);
    auto* const names = stack_.array<std::uint32_t>(columns.stride + lanes);
    WordRows rows{stack_.array<std::uint32_t>(columns.word_rows),
                  stack_.array<std::uint8_t>(columns.word_rows), 0};
    while (loop.next < loop.end) {
      const std::size_t i = loop.next++;
      Prefix grown{columns.supports[i], loop.prefix.length + 1, loop.prefix.perfect};
      if constexpr (Output::lists) {
        output_.add(columns.names[i]);
        output_.found(grown.length, grown.support);
      }
      BitColumns below{nullptr, 0, 0, rows.shifts, 0, supports, names};
      if (i > 0 && may_grow(grown.length)) {
        find_rows(columns, i, rows);
        count_with(columns, i, i, rows, counts);
        below.items = keep_frequent(columns, i, counts, kept, supports, names, grown);
      }
      if constexpr (!Output::lists) output_.tally.add(grown.perfect, grown.length, 1);
      if (below.items > 0) {
        const StackScope of_item(stack_);
        below.word_rows = rows.count;
        below.stride = stride_of(below.items);
        below.words = project(columns, i, i, rows, kept, below.stride, stack_);
        mine(below, grown, false);
      }
      if constexpr (Output::lists) output_.remove();
      open.give_if_asked();
    }
  }

  // Keeps those of the items before this one that are frequent with it; perfect extensions are only
  // counted, unless sets are listed.
  // @param kept  a mask for each vector of items
  std::size_t keep_frequent(const BitColumns& columns, std::size_t item,
                            const std::uint64_t* counts, std::uint8_t* kept,
                            std::uint32_t* supports, std::uint32_t* names, Prefix& grown) const {
    const D d;
    const V least = hn::Set(d, limits_.min_count);
    const V all = hn::Set(d, std::uint64_t{grown.support});
    std::size_t found = 0;
    for (std::size_t first = 0; first < item; first += lanes) {
      const V count = hn::Load(d, counts + first);
      const auto here = hn::FirstN(d, item - first);
      auto frequent = hn::And(at_least(count, least), here);
      if constexpr (!Output::lists) {
        const auto perfect = hn::And(hn::Eq(count, all), here);
        grown.perfect += static_cast<std::uint32_t>(hn::CountTrue(d, perfect));
        frequent = hn::AndNot(perfect, frequent);
      }
      std::uint64_t mask = 0;
      store_mask(d, frequent, 0, &mask);
      kept[first / lanes] = static_cast<std::uint8_t>(mask);
      for (; mask != 0; mask &= mask - 1) {
        const std::size_t j = first + static_cast<std::size_t>(std::countr_zero(mask));
        supports[found] = static_cast<std::uint32_t>(counts[j]);
        if constexpr (Output::lists) names[found] = columns.names[j];
        ++found;
      }
    }
    return found;
  }

  ItemsetLimits limits_;
  ColumnMemory& memory_;
  WordStack& stack_;
  Output& output_;
};

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
