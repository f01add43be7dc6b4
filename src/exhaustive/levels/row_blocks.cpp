// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/exhaustive/levels/row_blocks.hpp"

// Without it there is no vpopcntq.
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/exhaustive/levels/row_blocks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
// At most the 8 words of a block.
using Lanes = hn::CappedTag<std::uint64_t, 8>;

/// @return whether any is set
bool and_block(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  const Lanes lanes;
  auto any = hn::Zero(lanes);
  for (std::size_t i = 0; i < 8; i += hn::Lanes(lanes)) {
    const auto both = hn::And(hn::Load(lanes, a + i), hn::Load(lanes, b + i));
    hn::Store(both, lanes, out + i);
    any = hn::Or(any, both);
  }
  return !hn::AllTrue(lanes, hn::Eq(any, hn::Zero(lanes)));
}

/// @param numbers  of the blocks of `a`, of whose words `b` has all; overwritten with those of
/// `out`
/// @return blocks of `out`
std::size_t common_blocks(const std::uint64_t* a, const std::uint32_t* numbers, std::size_t blocks,
                          const std::uint64_t* b, std::uint64_t* out, std::uint32_t* out_numbers) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < blocks; ++k) {
    out_numbers[kept] = numbers[k];
    kept += and_block(a + 8 * k, b + std::size_t{8} * numbers[k], out + 8 * kept) ? 1 : 0;
  }
  return kept;
}

template <std::size_t Columns>
void count_blocks(const std::uint64_t* words, const std::uint32_t* numbers, std::size_t blocks,
                  const std::uint64_t* const* columns, std::uint32_t* counts) {
  const Lanes lanes;
  const auto none = hn::Zero(lanes);
  auto sum0 = none, sum1 = none, sum2 = none, sum3 = none;
  for (std::size_t k = 0; k < blocks; ++k) {
    const std::size_t at = std::size_t{8} * numbers[k];
    for (std::size_t i = 0; i < 8; i += hn::Lanes(lanes)) {
      const auto rows = hn::Load(lanes, words + 8 * k + i);
      const auto common = [&](std::size_t column) HWY_ATTR {
        return hn::PopulationCount(hn::And(rows, hn::Load(lanes, columns[column] + at + i)));
      };
      sum0 = hn::Add(sum0, common(0));
      if constexpr (Columns > 1) sum1 = hn::Add(sum1, common(1));
      if constexpr (Columns > 2) sum2 = hn::Add(sum2, common(2));
      if constexpr (Columns > 3) sum3 = hn::Add(sum3, common(3));
    }
  }
  const auto total = [&](auto sum) HWY_ATTR {
    return static_cast<std::uint32_t>(hn::GetLane(hn::SumOfLanes(lanes, sum)));
  };
  counts[0] = total(sum0);
  if constexpr (Columns > 1) counts[1] = total(sum1);
  if constexpr (Columns > 2) counts[2] = total(sum2);
  if constexpr (Columns > 3) counts[3] = total(sum3);
}

void count_blocks_with(const std::uint64_t* words, const std::uint32_t* numbers, std::size_t blocks,
                       const std::uint64_t* const* columns, std::size_t count,
                       std::uint32_t* counts) {
  switch (count) {
    case 1:
      return count_blocks<1>(words, numbers, blocks, columns, counts);
    case 2:
      return count_blocks<2>(words, numbers, blocks, columns, counts);
    case 3:
      return count_blocks<3>(words, numbers, blocks, columns, counts);
    default:
      return count_blocks<4>(words, numbers, blocks, columns, counts);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace atl {
namespace {
HWY_EXPORT(common_blocks);
HWY_EXPORT(count_blocks_with);
}  // namespace

void RowBlocks::assign(const std::uint64_t* column) {
  blocks_ = 0;
  for (std::size_t b = 0; b < numbers_.size(); ++b) {
    const std::uint64_t* const block = column + block_words * b;
    if (std::all_of(block, block + block_words, [](std::uint64_t word) { return word == 0; })) {
      continue;
    }
    std::copy_n(block, block_words, words_.data() + block_words * blocks_);
    numbers_[blocks_++] = static_cast<std::uint32_t>(b);
  }
}

void RowBlocks::assign_common(const RowBlocks& other, const std::uint64_t* column) {
  blocks_ =
      HWY_DYNAMIC_DISPATCH(common_blocks)(other.words_.data(), other.numbers_.data(), other.blocks_,
                                          column, words_.data(), numbers_.data());
}

void RowBlocks::count_common(const std::uint64_t* const* columns, std::size_t count,
                             std::uint32_t* counts) const {
  HWY_DYNAMIC_DISPATCH(count_blocks_with)
  (words_.data(), numbers_.data(), blocks_, columns, count, counts);
}

}  // namespace atl
#endif
