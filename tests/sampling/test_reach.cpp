#include <algorithm>
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/sampling/coverage_sample.hpp"
#include "src/sampling/reach.hpp"

namespace atl::test {
namespace {

// Every size once, at every place in a vector of any width.
constexpr std::size_t count = 4099;
constexpr std::size_t room = (count + reach_lanes - 1) / reach_lanes * reach_lanes;

bool has(const std::vector<std::uint64_t>& bits, std::size_t i) {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}

TEST(Reach, FindsAllSetsThatCanBeSimilarEnoughAndFewOthers) {
  RandomStream stream({3, 0, 0, 0, Purpose::test});
  std::vector<float> rows(room, 0);
  std::vector<std::uint16_t> common(room, 0xFFFF);
  std::vector<float> factors(room, 0);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i] = static_cast<float>(stream.below(4097));  // 0, too: there is no set
    factors[i] = static_cast<float>(stream.next_double());
    if (i % 3 != 0) common[i] = static_cast<std::uint16_t>(stream.below(4097));
  }
  for (const double least : {0.2, 0.5, 1.0}) {
    for (const std::uint32_t own : {1U, 77U, 4096U}) {
      const Reach reach{static_cast<float>(own), static_cast<float>(least)};
      std::vector<std::uint64_t> any((count + 63) / 64), known(any), members(any);
      sets_within(reach, rows.data(), nullptr, count, any.data());
      sets_within(reach, rows.data(), common.data(), count, known.data());
      members_within(reach, rows.data(), factors.data(), count, members.data());
      const auto expect = [&](bool found, double index, std::size_t i) {
        const bool is_near = index >= least, is_far = index < least * (1 - 1e-4);
        EXPECT_FALSE(is_near && !found) << i << " of " << index;
        EXPECT_FALSE(is_far && found) << i << " of " << index;
      };
      for (std::size_t i = 0; i < count; ++i) {
        const auto size = static_cast<std::uint32_t>(rows[i]);
        const std::uint32_t most = std::min(own, size);
        expect(has(any, i), jaccard(most, own, size), i);
        expect(has(known, i), jaccard(std::min<std::uint32_t>(most, common[i]), own, size), i);
        expect(has(members, i), jaccard(most, own, size) * double{factors[i]}, i);
      }
      EXPECT_EQ(any.back() >> count % 64, 0U) << "nothing beyond the last";
    }
  }
}

}  // namespace
}  // namespace atl::test
