#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl::test {
namespace {

std::vector<std::uint64_t> random_words(std::uint32_t number, std::size_t words) {
  RandomStream stream({3, 0, 0, number, Purpose::test});
  std::vector<std::uint64_t> made(words);
  for (std::uint64_t& word : made) word = stream.next_u64() & stream.next_u64();
  return made;
}

std::vector<std::size_t> positions(const std::vector<std::uint64_t>& a, const std::uint64_t* b) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < 64 * a.size(); ++i) {
    if ((a[i / 64] & b[i / 64]) >> i % 64 & 1) found.push_back(i);
  }
  return found;
}

TEST(CommonBits, CountsEveryWord) {
  for (std::size_t words = 1; words <= 64; ++words) {
    const auto a = random_words(1, words), b = random_words(2, words);
    EXPECT_EQ(common_bits(a.data(), b.data(), words), positions(a, b.data()).size());
  }
}

TEST(CommonBits, IntersectsEveryWordOfRanges) {
  for (std::size_t words = 1; words <= 64; ++words) {
    const auto a = random_words(1, words), b = random_words(2, words);
    const auto c = random_words(3, words), d = random_words(4, words);
    std::vector<std::uint64_t> one(words);
    std::vector<std::uint64_t> both(words);
    intersect_bits(std::vector<BitRange>{{a.data(), b.data()}}, one.data(), words);
    intersect_bits(std::vector<BitRange>{{a.data(), b.data()}, {c.data(), d.data()}}, both.data(),
                   words);
    for (std::size_t w = 0; w < words; ++w) {
      EXPECT_EQ(one[w], a[w] & ~b[w]);
      EXPECT_EQ(both[w], a[w] & ~b[w] & c[w] & ~d[w]);
    }
  }
}

TEST(CommonBits, FindsEachBit) {
  const auto a = random_words(1, 9), b = random_words(2, 9);
  const auto expected = positions(a, b.data());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(nth_common_bit(a.data(), b.data(), 9, i), expected[i]);
  }
}

}  // namespace
}  // namespace atl::test
