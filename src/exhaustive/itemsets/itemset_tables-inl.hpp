// Frequent itemsets of few items from a table of all their sets. Included by itemset_kernel.cpp
// once for each instruction set; hence the guard that toggles.
#if defined(ATOLL_ITEMSET_TABLES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ATOLL_ITEMSET_TABLES_INL
#undef ATOLL_ITEMSET_TABLES_INL
#else
#define ATOLL_ITEMSET_TABLES_INL
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "src/exhaustive/itemsets/bit_columns.hpp"
#include "src/exhaustive/itemsets/column_steps-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

// Adds to each lane those of the lanes whose number has one more bit set, for each bit.
template <typename D, typename V>
HWY_INLINE V sums_of_supersets(D d, V v) {
#if HWY_TARGET != HWY_SCALAR  // which has one lane
  using T = hn::TFromD<D>;
  const hn::Repartition<std::uint64_t, D> d64;
  const hn::Repartition<std::uint32_t, D> d32;
  const hn::Repartition<std::uint8_t, D> d8;
  if constexpr (sizeof(T) == 2) {
    const auto pairs = hn::BitCast(d32, v);
    v = hn::Add(v, hn::BitCast(d, hn::ShiftRight<16>(pairs)));
  }
  v = hn::Add(v, hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, v))));
  v = hn::Add(v, hn::BitCast(d, hn::ShiftRightBytes<8>(d8, hn::BitCast(d8, v))));
  if constexpr (hn::MaxLanes(d8) == 64) {
    v = hn::Add(v, hn::OddEvenBlocks(hn::Zero(d), hn::SwapAdjacentBlocks(v)));
  }
  if constexpr (hn::MaxLanes(d8) >= 32) {
    const hn::Half<D> half;
    v = hn::Add(v, hn::ZeroExtendVector(d, hn::UpperHalf(half, v)));
  }
#else
  static_cast<void>(d);
#endif
  return v;
}

// Lists or counts the frequent ones of all sets of some items.
// @param supports  [2^Items vectors' worth], by the sets' bits; that of the empty set is 0
// @param names  of the items; those beyond are in no transaction
template <int Items, typename V, typename Output>
HWY_INLINE void hand_over(const V* supports, std::span<const std::uint32_t> names,
                          const Prefix& prefix, const ItemsetLimits& limits, Output& output) {
  using T = hn::TFromV<V>;
  const hn::ScalableTag<T> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr std::size_t vectors = (std::size_t{1} << Items) / lanes;
  constexpr int vector_items = std::countr_zero(vectors);
  const V least = hn::Set(d, static_cast<T>(limits.min_count));
  if constexpr (Output::lists) {
    alignas(64) std::array<T, std::size_t{1} << Items> all;
    std::array<std::uint32_t, std::size_t{1} << Items> of_block;
    ItemsetBlock block{names, {}, of_block.data()};
    for (std::size_t k = 0; k < vectors; ++k) {
      hn::Store(supports[k], d, all.data() + k * lanes);
      store_mask(d, at_least(supports[k], least), k * lanes, block.frequent.data());
    }
    for (std::size_t m = 0; m < all.size(); ++m) of_block[m] = static_cast<std::uint32_t>(all[m]);
    output.found(prefix.length, block);
  } else {
    const V one = hn::Set(d, T{1});
    V sets[vector_items + 1];
    for (V& s : sets) s = hn::Zero(d);
    for (std::size_t k = 0; k < vectors; ++k) {
      V& s = sets[std::popcount(k)];
      s = hn::Add(s, hn::IfThenElseZero(at_least(supports[k], least), one));
    }
    for (std::uint32_t ones = 0; ones <= vector_items; ++ones) {
      T* const to = output.tally.template lanes<T>(prefix.perfect, prefix.length + ones,
                                                   static_cast<std::uint32_t>(vectors));
      hn::Store(hn::Add(hn::Load(d, to), sets[ones]), d, to);
    }
  }
}

// A table has an entry for each set of its items, by the set's bits: at first the number of
// transactions that have these of the items and no others. From the last item down it is split into
// the sets without the item, to which those with it are added, and the sets with it, if they are
// frequent. What is left of 8 items is worked out in registers.
template <typename T, typename Output>
class TableMiner {
 public:
  static constexpr int last_items = 8;
  static constexpr int least_items = 5;  // fill the widest vector

  TableMiner(const ItemsetLimits& limits, std::span<const std::uint32_t> names, Output& output)
      : limits_(limits), names_(names), output_(output) {}

  // @param table  [2^items], aligned, lost; entry 0 may be anything. Items without names are in no
  // transaction.
  void mine(T* table, int items, Prefix prefix) {
    if (items <= last_items) return mine_last(table, items, prefix);
    T* const with = table + (std::size_t{1} << --items);
    const std::uint64_t support = add_supersets(table, with);
    if constexpr (Output::lists) {
      mine(table, items, prefix);
      if (support < limits_.min_count) return;
      output_.add(names_[static_cast<std::size_t>(items)]);
      output_.found(prefix.length + 1, static_cast<std::uint32_t>(support));
      if (prefix.length + 1 < limits_.max_length) mine(with, items, longer(prefix, support));
      output_.remove();
    } else {
      if (support >= limits_.min_count) output_.tally.add(prefix.perfect, prefix.length + 1, 1);
      if (support == prefix.support) {
        ++prefix.perfect;
      } else if (support >= limits_.min_count && prefix.length + 1 < limits_.max_length) {
        mine(with, items, longer(prefix, support));
      }
      mine(table, items, prefix);
    }
  }

 private:
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr std::size_t lanes = hn::MaxLanes(D());

  static Prefix longer(const Prefix& prefix, std::uint64_t support) {
    return {static_cast<std::uint32_t>(support), prefix.length + 1, prefix.perfect};
  }

  // Adds the second half of a table to the first; returns its sum, which T can hold.
  static std::uint64_t add_supersets(T* table, const T* with) {
    const D d;
    V sum = hn::Zero(d);
    V other_sum = sum;
    for (T* to = table; to < with; to += 2 * lanes) {
      const T* const from = with + (to - table);
      const V first = hn::Load(d, from);
      const V second = hn::Load(d, from + lanes);
      sum = hn::Add(sum, first);
      other_sum = hn::Add(other_sum, second);
      hn::Store(hn::Add(hn::Load(d, to), first), d, to);
      hn::Store(hn::Add(hn::Load(d, to + lanes), second), d, to + lanes);
    }
    sum = hn::Add(sum, other_sum);
    if constexpr (lanes == 1) {
      return hn::GetLane(sum);
    } else if constexpr (sizeof(T) == 2) {
      const hn::Repartition<std::uint32_t, D> d32;
      const auto pairs = hn::BitCast(d32, sum);
      const auto sums = hn::Add(hn::And(pairs, hn::Set(d32, 0xFFFF)), hn::ShiftRight<16>(pairs));
      return hn::GetLane(hn::SumOfLanes(d32, sums));
    } else {
      return hn::GetLane(hn::SumOfLanes(d, sum));
    }
  }

  void mine_last(T* table, int items, const Prefix& prefix) {
    switch (items) {
      case 8:
        return mine_in_registers<8>(table, prefix);
      case 7:
        return mine_in_registers<7>(table, prefix);
      case 6:
        return mine_in_registers<6>(table, prefix);
      default:
        return mine_in_registers<5>(table, prefix);
    }
  }

  template <int Items>
  void mine_in_registers(T* table, const Prefix& prefix) {
    constexpr std::size_t vectors = (std::size_t{1} << Items) / lanes;
    const D d;
    table[0] = 0;  // the prefix itself, which is no set of the table
    V v[vectors];
    for (std::size_t k = 0; k < vectors; ++k) v[k] = hn::Load(d, table + k * lanes);
    for (std::size_t bit = 1; bit < vectors; bit *= 2) {
      for (std::size_t k = 0; k < vectors; ++k) {
        if ((k & bit) == 0) v[k] = hn::Add(v[k], v[k | bit]);
      }
    }
    for (std::size_t k = 0; k < vectors; ++k) v[k] = sums_of_supersets(d, v[k]);
    v[0] = hn::IfThenZeroElse(hn::FirstN(d, 1), v[0]);
    hand_over<Items>(v, names_.first(std::min<std::size_t>(names_.size(), Items)), prefix, limits_,
                     output_);
  }

  ItemsetLimits limits_;
  std::span<const std::uint32_t> names_;
  Output& output_;
};

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();
#endif
