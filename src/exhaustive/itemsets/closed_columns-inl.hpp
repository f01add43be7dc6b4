// Closed and maximal itemsets from bit columns. Included by closed_kernel.cpp once for each
// instruction set; hence the guard that toggles.
#if defined(ATOLL_CLOSED_COLUMNS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_CLOSED_COLUMNS_INL
#undef ATOLL_CLOSED_COLUMNS_INL
#else
#define ATOLL_CLOSED_COLUMNS_INL
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include "src/exhaustive/itemsets/closed_itemsets.hpp"
#include "src/exhaustive/itemsets/column_steps-inl.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

// A set grows by the items before its last one. Those behind it stay as columns, too, if they are
// frequent with it: a set that one of them extends without loss is found with that item.
template <typename Output>
class ClosedColumnMiner {
 public:
  ClosedColumnMiner(const ItemsetLimits& limits, ColumnMemory& memory, Output& output)
      : limits_(limits), memory_(memory), stack_(memory.stack), output_(output) {}

  // @param loop  over items that the prefix grows by
  // @param merged  equal rows of its columns have just been joined
  void mine(OpenLoop& loop, bool merged) {
    const BitColumns& columns = *loop.columns;
    if (limits_.family == ItemsetFamily::maximal && loop.next == 0 &&
        grows_by_all(columns, loop.end, loop.prefix)) {
      return;
    }
    const StackScope scope(stack_);
    if (loop.next == 0 && columns.items <= 64 && loop.end <= most_table_items(columns, 12)) {
      return mine_table(loop);
    }
    if (!merged && columns.items <= 64 && columns.word_rows >= 8 &&
        may_have_equal_rows(columns, loop.prefix)) {
      const BitColumns joined = memory_.merger.merge(columns, stack_);
      OpenLoop of_joined{loop.prefix, loop.next, loop.end, nullptr, &joined};
      return mine_each(of_joined);
    }
    mine_each(loop);
  }

  void mine_each(OpenLoop& loop) {
    const BitColumns& columns = *loop.columns;
    const OpenScope open(output_.trail, loop);
    const StackScope scope(stack_);
    Scratch scratch{{stack_.array<std::uint32_t>(columns.word_rows),
                     stack_.array<std::uint8_t>(columns.word_rows), 0},
                    stack_.words(columns.stride),
                    stack_.array<std::uint8_t>(columns.stride),
                    stack_.array<std::uint32_t>(columns.stride),
                    stack_.array<std::uint32_t>(columns.stride),
                    stack_.array<std::uint32_t>(columns.stride)};
    while (loop.next < loop.end) {
      const std::size_t item = loop.next++;
      find_rows(columns, item, scratch.rows);
      if (!is_in_one_behind(columns, item, scratch.rows)) mine_item(loop, item, scratch);
      open.give_if_asked();
    }
  }

 private:
  struct Scratch {
    WordRows rows;
    std::uint64_t* counts;
    std::uint8_t* kept;
    std::uint32_t* supports;
    std::uint32_t* names;
    std::uint32_t* perfect;  // names
  };
  // Columns that are kept.
  struct Kept {
    std::size_t before = 0, all = 0;
  };

  // All sets of a few items that the prefix grows by, from a table: the support of each, and the
  // items that all of its transactions have, which are those of the set alone if it is closed.
  void mine_table(const OpenLoop& loop) {
    const BitColumns& columns = *loop.columns;
    const std::size_t size = std::size_t{1} << loop.end;
    auto* const supports = stack_.array<std::uint32_t>(size);
    std::uint64_t* const common = stack_.words(size);
    std::fill_n(supports, size, 0U);
    std::fill_n(common, size, ~std::uint64_t{0});
    Bits64 rows;
    for (std::size_t w = 0; w < columns.word_rows; ++w) {
      std::copy_n(columns.words + w * columns.stride, columns.items, rows.words);
      std::fill(rows.words + columns.items, std::end(rows.words), 0);
      transpose_words(rows.words);
      for (const std::uint64_t row : rows.words) {
        const std::size_t set = row & (size - 1);
        supports[set] += (row != 0 ? 1U : 0U) << columns.shifts[w];
        common[set] &= row;
      }
    }
    for (std::size_t half = 1; half < size; half *= 2) {
      for (std::size_t first = 0; first < size; first += 2 * half) {
        for (std::size_t k = first; k < first + half; ++k) supports[k] += supports[k + half];
        for (std::size_t k = first; k < first + half; ++k) common[k] &= common[k + half];
      }
    }
    std::array<std::uint64_t, 13> lengths{};
    for (std::size_t set = 1; set < size; ++set) {
      if (supports[set] < limits_.min_count || common[set] != set) continue;
      if (limits_.family == ItemsetFamily::maximal &&
          (grows(supports, loop.end, set) || grows_behind(columns, loop.end, set))) {
        continue;
      }
      if constexpr (Output::lists) {
        list(columns, set, {supports[set], loop.prefix.length});
      } else {
        ++lengths[static_cast<std::size_t>(std::popcount(set))];
      }
    }
    if constexpr (!Output::lists) {
      for (std::size_t k = 1; k <= loop.end; ++k) {
        if (lengths[k] != 0) output_.tally.add(0, loop.prefix.length + k, lengths[k]);
      }
    }
  }

  // Is the set of the table frequent with another item of it?
  bool grows(const std::uint32_t* supports, std::size_t items, std::size_t set) const {
    for (std::size_t i = 0; i < items; ++i) {
      const std::size_t with = set | std::size_t{1} << i;
      if (with != set && supports[with] >= limits_.min_count) return true;
    }
    return false;
  }

  // Or with an item behind those of the table?
  bool grows_behind(const BitColumns& columns, std::size_t first, std::size_t set) {
    const StackScope scope(stack_);
    std::uint64_t* const counts = stack_.words(columns.stride);
    std::fill_n(counts, columns.stride, std::uint64_t{0});
    const WordTag d;
    for (std::size_t w = 0; w < columns.word_rows; ++w) {
      const std::uint64_t* const row = columns.words + w * columns.stride;
      std::uint64_t with = ~std::uint64_t{0};
      for (std::size_t rest = set; rest != 0; rest &= rest - 1) with &= row[std::countr_zero(rest)];
      if (with == 0) continue;
      const WordVector all = hn::Set(d, with);
      for (std::size_t v = first / word_lanes * word_lanes; v < columns.items; v += word_lanes) {
        const WordVector both = hn::PopulationCount(hn::And(all, hn::Load(d, row + v)));
        const WordVector sum = hn::ShiftLeftSame(both, columns.shifts[w]);
        hn::Store(hn::Add(hn::Load(d, counts + v), sum), d, counts + v);
      }
    }
    return std::any_of(counts + first, counts + columns.items,
                       [&](std::uint64_t count) { return count >= limits_.min_count; });
  }

  // @param prefix  its length, and the support of it with the set
  void list(const BitColumns& columns, std::size_t set, const Prefix& prefix) {
    for (std::size_t i = 64; i-- > 0;) {
      if ((set >> i & 1) != 0) output_.add(columns.names[i]);
    }
    const auto items = static_cast<std::uint32_t>(std::popcount(set));
    found(output_, {prefix.support, prefix.length + items});
    for (std::uint32_t k = 0; k < items; ++k) output_.remove();
  }

  // Has an item behind this one all of its rows?
  static bool is_in_one_behind(const BitColumns& columns, std::size_t item, const WordRows& rows) {
    const WordTag d;
    for (std::size_t v = (item + 1) / word_lanes; v * word_lanes < columns.items; ++v) {
      const std::size_t first = v * word_lanes;
      auto in = hn::FirstN(d, columns.items - first);
      if (first <= item) in = hn::AndNot(hn::FirstN(d, item + 1 - first), in);
      for (std::size_t k = 0; k < rows.count && !hn::AllFalse(d, in); ++k) {
        const std::uint64_t* const row = columns.words + rows.word[k] * columns.stride;
        const WordVector lacks = hn::AndNot(hn::Load(d, row + first), hn::Set(d, row[item]));
        in = hn::And(in, hn::Eq(lacks, hn::Zero(d)));
      }
      if (!hn::AllFalse(d, in)) return true;
    }
    return false;
  }

  void mine_item(OpenLoop& loop, std::size_t item, Scratch& scratch) {
    const BitColumns& columns = *loop.columns;
    count_with(columns, item, columns.items, scratch.rows, scratch.counts);
    Prefix grown{columns.supports[item], loop.prefix.length + 1};
    loop.perfect = scratch.perfect;
    loop.perfects = 0;
    const Kept kept = keep_frequent(loop, item, scratch);
    grown.length += static_cast<std::uint32_t>(loop.perfects);
    if constexpr (Output::lists) {
      output_.add(columns.names[item]);
      for (std::size_t k = 0; k < loop.perfects; ++k) output_.add(scratch.perfect[k]);
    }
    if (limits_.family == ItemsetFamily::closed || kept.all == 0) found(output_, grown);
    if (kept.before > 0 && grown.length < limits_.max_length) {
      const StackScope scope(stack_);
      const std::size_t stride = stride_of(kept.all);
      const BitColumns below{
          project(columns, item, columns.items, scratch.rows, scratch.kept, stride, stack_),
          scratch.rows.count,
          stride,
          scratch.rows.shifts,
          kept.all,
          scratch.supports,
          scratch.names};
      OpenLoop next{grown, 0, kept.before, nullptr, &below};
      mine(next, false);
    }
    if constexpr (Output::lists) {
      for (std::size_t k = 0; k <= loop.perfects; ++k) output_.remove();
    }
  }

  // Of the other items those that are frequent with this one. Perfect extensions before it join the
  // set; there are none behind it.
  Kept keep_frequent(OpenLoop& loop, std::size_t item, Scratch& scratch) const {
    const BitColumns& columns = *loop.columns;
    const WordTag d;
    const WordVector least = hn::Set(d, limits_.min_count);
    Kept kept;
    for (std::size_t first = 0; first < columns.items; first += word_lanes) {
      const auto frequent = at_least(hn::Load(d, scratch.counts + first), least);
      std::uint64_t here = 0;
      store_mask(d, hn::And(frequent, hn::FirstN(d, columns.items - first)), 0, &here);
      if (item - first < word_lanes) here &= ~(std::uint64_t{1} << (item - first));
      std::uint64_t mask = here;
      for (; here != 0; here &= here - 1) {
        const std::size_t j = first + static_cast<std::size_t>(std::countr_zero(here));
        const std::uint64_t count = scratch.counts[j];
        if (count == columns.supports[item]) {
          scratch.perfect[loop.perfects++] = columns.names[j];
          mask &= ~(here & -here);
          continue;
        }
        scratch.supports[kept.all] = static_cast<std::uint32_t>(count);
        scratch.names[kept.all++] = columns.names[j];
        kept.before += j < item ? 1 : 0;
      }
      scratch.kept[first / word_lanes] = static_cast<std::uint8_t>(mask);
    }
    return kept;
  }

  // If the prefix is frequent with all items that it may grow by, only that set may be maximal.
  bool grows_by_all(const BitColumns& columns, std::size_t end, const Prefix& prefix) {
    const StackScope scope(stack_);
    std::uint64_t* const with_all = stack_.words(columns.word_rows);
    std::uint64_t support = 0;
    for (std::size_t w = 0; w < columns.word_rows; ++w) {
      const std::uint64_t* const row = columns.words + w * columns.stride;
      std::uint64_t all = ~std::uint64_t{0};
      for (std::size_t j = 0; j < end; ++j) all &= row[j];
      with_all[w] = all;
      support += static_cast<std::uint64_t>(std::popcount(all)) << columns.shifts[w];
    }
    if (support < limits_.min_count) return false;
    for (std::size_t j = end; j < columns.items; ++j) {
      std::uint64_t both = 0;
      for (std::size_t w = 0; w < columns.word_rows; ++w) {
        const std::uint64_t rows = with_all[w] & columns.words[w * columns.stride + j];
        both += static_cast<std::uint64_t>(std::popcount(rows)) << columns.shifts[w];
      }
      if (both >= limits_.min_count) return true;  // that one's
    }
    if constexpr (Output::lists) {
      for (std::size_t j = end; j-- > 0;) output_.add(columns.names[j]);
    }
    found(output_,
          {static_cast<std::uint32_t>(support), prefix.length + static_cast<std::uint32_t>(end)});
    if constexpr (Output::lists) {
      for (std::size_t j = 0; j < end; ++j) output_.remove();
    }
    return true;
  }

  const ItemsetLimits& limits_;
  ColumnMemory& memory_;
  WordStack& stack_;
  Output& output_;
};

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
