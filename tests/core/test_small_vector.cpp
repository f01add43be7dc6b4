#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/core/small_vector.hpp"

namespace atl::test {
namespace {

using Small = SmallVector<int, 4>;

std::vector<int> content(const Small& from) {
  return {from.begin(), from.end()};
}

TEST(SmallVector, HoldsAnyNumberOfElements) {
  Small small;
  std::vector<int> expected;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(content(small), expected);
    small.push_back(i);
    expected.push_back(i);
    EXPECT_EQ(small.back(), i);
  }
  EXPECT_EQ(small[57], 57);
  small.clear();
  EXPECT_TRUE(small.empty());
}

TEST(SmallVector, CopiesAreIndependent) {
  for (const int size : {3, 30}) {
    std::vector<int> numbers(static_cast<std::size_t>(size));
    std::iota(numbers.begin(), numbers.end(), 0);
    Small first = numbers;
    Small second = first;
    Small third{1, 2};
    third = first;
    first[0] = -1;
    EXPECT_EQ(content(second), numbers);
    EXPECT_EQ(content(third), numbers);
    EXPECT_NE(first, second);
    second = *&second;
    EXPECT_EQ(content(second), numbers);
    third = Small{7};
    EXPECT_EQ(content(third), (std::vector<int>{7}));
  }
}

TEST(SmallVector, GrowsWithZeros) {
  Small small{5, 6};
  small.resize(6);
  EXPECT_EQ(content(small), (std::vector<int>{5, 6, 0, 0, 0, 0}));
  small.resize(1);
  small.resize(2);
  EXPECT_EQ(content(small), (std::vector<int>{5, 0}));
}

TEST(SmallVector, ComparesLikeAVector) {
  EXPECT_TRUE(rc::check("order", [](const std::vector<int>& a, const std::vector<int>& b) {
    RC_ASSERT((Small(a) <=> Small(b)) == (a <=> b));
    RC_ASSERT((Small(a) == Small(b)) == (a == b));
  }));
}

TEST(SmallVector, ReplacesElements) {
  EXPECT_TRUE(rc::check("replace", [](std::vector<int> numbers, const std::vector<int>& with) {
    const auto at = *rc::gen::inRange<std::size_t>(0, numbers.size() + 1);
    const auto count = *rc::gen::inRange<std::size_t>(0, numbers.size() - at + 1);
    Small small = numbers;
    small.replace(at, count, with);
    const auto place = numbers.begin() + static_cast<std::ptrdiff_t>(at);
    numbers.erase(place, place + static_cast<std::ptrdiff_t>(count));
    numbers.insert(numbers.begin() + static_cast<std::ptrdiff_t>(at), with.begin(), with.end());
    RC_ASSERT(content(small) == numbers);
  }));
}

TEST(SmallVector, AppendsAndTruncates) {
  Small small{1, 2, 3};
  const std::vector<int> more{4, 5, 6};
  small.append(more);
  EXPECT_EQ(content(small), (std::vector<int>{1, 2, 3, 4, 5, 6}));
  small.truncate(small.begin() + 2);
  EXPECT_EQ(content(small), (std::vector<int>{1, 2}));
}

}  // namespace
}  // namespace atl::test
