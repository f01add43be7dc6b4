// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/exhaustive/itemsets/bit_columns.hpp"

// The first is needed for vpopcntq; arrays of vectors need a size known to the compiler.
#define HWY_WANT_AVX3_DL
#ifndef HWY_DISABLED_TARGETS  // builds with sanitizers make fewer variants
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/itemsets/itemset_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/exhaustive/itemsets/itemset_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

std::size_t find_frequent_here(std::span<const std::uint32_t> counts, std::uint64_t min_count,
                               std::uint32_t* ranks) {
  const hn::ScalableTag<std::uint32_t> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  static_assert(lanes <= frequent_slack);
  const auto least = hn::Set(d, static_cast<std::uint32_t>(min_count));
  std::size_t found = 0;
  std::size_t first = 0;
  for (; first + lanes <= counts.size(); first += lanes) {
    const auto frequent = at_least(hn::LoadU(d, counts.data() + first), least);
    std::uint64_t some = 0;
    store_mask(d, frequent, 0, &some);
    if (some == 0) continue;
    found += store_some(d, hn::Iota(d, static_cast<std::uint32_t>(first)), some, ranks + found);
  }
  for (; first < counts.size(); ++first) {
    if (counts[first] >= min_count) ranks[found++] = static_cast<std::uint32_t>(first);
  }
  return found;
}

void transpose_here(Bits64& bits) {
  transpose_words(bits.words);
}

void count_columns_here(const BitColumns& columns, const Prefix& prefix,
                        const ItemsetLimits& limits, ColumnMemory& memory,
                        CountedItemsets& output) {
  ColumnMiner<CountedItemsets>(limits, memory, output).mine(columns, prefix, false);
}

void list_columns_here(const BitColumns& columns, const Prefix& prefix, const ItemsetLimits& limits,
                       ColumnMemory& memory, ListedItemsets& output) {
  ColumnMiner<ListedItemsets>(limits, memory, output).mine(columns, prefix, false);
}

void count_branch_here(const Branch& branch, const ItemsetLimits& limits, ColumnMemory& memory,
                       CountedItemsets& output) {
  ColumnMiner<CountedItemsets>(limits, memory, output).mine(branch);
}

void list_branch_here(const Branch& branch, const ItemsetLimits& limits, ColumnMemory& memory,
                      ListedItemsets& output) {
  ColumnMiner<ListedItemsets>(limits, memory, output).mine(branch);
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(transpose_here);
HWY_EXPORT(find_frequent_here);
HWY_EXPORT(count_columns_here);
HWY_EXPORT(list_columns_here);
HWY_EXPORT(count_branch_here);
HWY_EXPORT(list_branch_here);
}  // namespace

void transpose(Bits64& bits) {
  HWY_DYNAMIC_DISPATCH(transpose_here)(bits);
}

std::size_t find_frequent(std::span<const std::uint32_t> counts, std::uint64_t min_count,
                          std::uint32_t* ranks) {
  return HWY_DYNAMIC_DISPATCH(find_frequent_here)(counts, min_count, ranks);
}

void mine_columns(const BitColumns& columns, const Prefix& prefix, const ItemsetLimits& limits,
                  ColumnMemory& memory, CountedItemsets& output) {
  HWY_DYNAMIC_DISPATCH(count_columns_here)(columns, prefix, limits, memory, output);
}

void mine_columns(const BitColumns& columns, const Prefix& prefix, const ItemsetLimits& limits,
                  ColumnMemory& memory, ListedItemsets& output) {
  HWY_DYNAMIC_DISPATCH(list_columns_here)(columns, prefix, limits, memory, output);
}

void mine_columns(const Branch& branch, const ItemsetLimits& limits, ColumnMemory& memory,
                  CountedItemsets& output) {
  HWY_DYNAMIC_DISPATCH(count_branch_here)(branch, limits, memory, output);
}

void mine_columns(const Branch& branch, const ItemsetLimits& limits, ColumnMemory& memory,
                  ListedItemsets& output) {
  HWY_DYNAMIC_DISPATCH(list_branch_here)(branch, limits, memory, output);
}

}  // namespace atl
#endif
