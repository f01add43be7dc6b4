#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/bit_planes.hpp"

namespace atl::test {
namespace {

std::vector<std::uint32_t> random_codes(std::uint64_t rows, std::uint32_t planes, bool missing) {
  RandomStream stream({rows, 0, 0, planes, Purpose::test});
  std::vector<std::uint32_t> codes(rows);
  for (std::uint32_t& code : codes) {
    code = static_cast<std::uint32_t>(stream.below(std::uint64_t{1} << planes));
    if (missing && stream.chance(0.2)) code = missing_code;
    if (!missing && planes == 32) code &= 0xFFFFFFFE;
  }
  return codes;
}

/// The bit of a row in one of `planes` planes, or in the one behind them, of rows with a value.
std::uint64_t bit_of(std::span<const std::uint32_t> codes, std::uint64_t row, std::uint32_t plane,
                     std::uint32_t planes, bool missing) {
  if (row >= codes.size() || (missing && codes[row] == missing_code)) return 0;
  return plane == planes ? 1 : (codes[row] >> plane) & 1;
}

void expect_bits_and_way_back(std::uint32_t planes, std::uint64_t rows, bool missing) {
  const auto codes = random_codes(rows, planes, missing);
  const PlaneLayout layout{planes, missing, words_for(rows) + 3};
  std::vector<std::uint64_t> words(layout.size(), 0x5555555555555555);
  codes_to_planes(codes, layout, words);
  for (std::uint32_t plane = 0; plane < layout.count(); ++plane) {
    for (std::uint64_t row = 0; row < layout.stride * 64; ++row) {
      ASSERT_EQ((words[plane * layout.stride + row / 64] >> (row % 64)) & 1,
                bit_of(codes, row, plane, planes, missing))
          << "plane " << plane << " row " << row;
    }
  }
  std::vector<std::uint32_t> back(rows, 7);
  planes_to_codes(words, layout, back);
  EXPECT_EQ(back, codes);
}

TEST(BitPlanes, HoldBitsOfRowsInOrder) {
  for (const std::uint32_t planes : {1U, 3U, 8U, 9U, 17U, 32U}) {
    for (const std::uint64_t rows : {0, 1, 63, 64, 65, 200}) {
      for (const bool missing : {false, true}) expect_bits_and_way_back(planes, rows, missing);
    }
  }
}

}  // namespace
}  // namespace atl::test
