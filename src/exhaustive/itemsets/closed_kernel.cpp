// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/exhaustive/itemsets/closed_itemsets.hpp"

#define HWY_WANT_AVX3_DL
#ifndef HWY_DISABLED_TARGETS  // builds with sanitizers make fewer variants
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/itemsets/closed_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/exhaustive/itemsets/closed_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

void count_closed_here(OpenLoop& loop, const ItemsetLimits& limits, ColumnMemory& memory,
                       CountedItemsets& output) {
  ClosedColumnMiner<CountedItemsets>(limits, memory, output).mine(loop, loop.node != nullptr);
}

void list_closed_here(OpenLoop& loop, const ItemsetLimits& limits, ColumnMemory& memory,
                      ListedItemsets& output) {
  ClosedColumnMiner<ListedItemsets>(limits, memory, output).mine(loop, loop.node != nullptr);
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(count_closed_here);
HWY_EXPORT(list_closed_here);
}  // namespace

void mine_closed_columns(OpenLoop& loop, const ItemsetLimits& limits, ColumnMemory& memory,
                         CountedItemsets& output) {
  HWY_DYNAMIC_DISPATCH(count_closed_here)(loop, limits, memory, output);
}

void mine_closed_columns(OpenLoop& loop, const ItemsetLimits& limits, ColumnMemory& memory,
                         ListedItemsets& output) {
  HWY_DYNAMIC_DISPATCH(list_closed_here)(loop, limits, memory, output);
}

}  // namespace atl
#endif
