#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "src/core/random.hpp"
#include "src/exhaustive/itemsets/bit_columns.hpp"

namespace atl::test {
namespace {

TEST(BitColumns, AreTurnedByEachInstructionSet) {
  RandomStream draw({13, 0, 0, 0, Purpose::test});
  Bits64 bits;
  for (std::uint64_t& word : bits.words) word = draw.next_u64();
  hwy::SetSupportedTargetsForTest(0);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    Bits64 turned = bits;
    transpose(turned);
    for (std::size_t i = 0; i < 64; ++i) {
      for (std::size_t j = 0; j < 64; ++j) {
        ASSERT_EQ(turned.words[j] >> i & 1, bits.words[i] >> j & 1)
            << i << ' ' << j << ' ' << target;
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
}

}  // namespace
}  // namespace atl::test
