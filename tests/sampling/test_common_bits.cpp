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

TEST(CommonBits, RestrictsEveryWord) {
  for (std::size_t words = 1; words <= 64; ++words) {
    const auto a = random_words(1, words), with = random_words(2, words);
    const auto without = random_words(3, words);
    auto with_all = a, with_less = a;
    restrict_bits(with_all.data(), with.data(), nullptr, words);
    restrict_bits(with_less.data(), with.data(), without.data(), words);
    for (std::size_t w = 0; w < words; ++w) {
      EXPECT_EQ(with_all[w], a[w] & with[w]);
      EXPECT_EQ(with_less[w], a[w] & with[w] & ~without[w]);
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
