#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/class_folds.hpp"

namespace atl {
namespace {

/// Attribute 0 tells rows apart unless it is the same; attribute 1 is the class.
Dataset table(const std::vector<std::uint32_t>& values, const std::vector<std::uint32_t>& classes) {
  const auto labels = [](const char* name, std::uint32_t count) {
    Attribute attribute;
    attribute.name = name;
    attribute.kind = AttributeKind::nominal;
    for (std::uint32_t i = 0; i < count; ++i) {
      attribute.labels.push_back(std::to_string(1000 + i));
    }
    return attribute;
  };
  return make_dataset({labels("a", 1000), labels("class", 3)}, {values, classes});
}

TEST(ClassFolds, DealsEachClassEvenly) {
  std::vector<std::uint32_t> values, classes;
  for (std::uint32_t i = 0; i < 103; ++i) {
    values.push_back(i);
    classes.push_back(i < 60 ? 0 : i < 93 ? 1 : 2);
  }
  const auto folds = class_folds(table(values, classes), 1, 5, 1);
  std::map<std::pair<std::uint32_t, std::uint8_t>, int> rows;
  for (std::size_t i = 0; i < folds.size(); ++i) ++rows[{classes[i], folds[i]}];
  for (std::uint8_t f = 0; f < 5; ++f) {
    EXPECT_EQ((rows[{0, f}]), 12);
    EXPECT_GE((rows[{1, f}]), 6);
    EXPECT_LE((rows[{1, f}]), 7);
    EXPECT_EQ((rows[{2, f}]), 2);
  }
}

TEST(ClassFolds, KeepsEqualRowsTogether) {
  std::vector<std::uint32_t> values, classes;
  for (std::uint32_t i = 0; i < 300; ++i) {
    values.push_back(i % 40);
    classes.push_back(i % 40 % 3);
  }
  const auto folds = class_folds(table(values, classes), 1, 4, 9);
  for (std::size_t i = 40; i < folds.size(); ++i) EXPECT_EQ(folds[i], folds[i - 40]);
  EXPECT_GT(*std::max_element(folds.begin(), folds.end()), 0);
}

// Else a list would be learnt from one class of a row and tested on the other.
TEST(ClassFolds, KeepsRowsTogetherThatDifferInTheClassAlone) {
  std::vector<std::uint32_t> values, classes;
  for (std::uint32_t i = 0; i < 600; ++i) {
    values.push_back(i % 60);
    classes.push_back(i * 7 / 60 % 3);
  }
  const auto folds = class_folds(table(values, classes), 1, 4, 9);
  for (std::size_t i = 60; i < folds.size(); ++i) EXPECT_EQ(folds[i], folds[i - 60]);
  for (std::uint8_t f = 0; f < 4; ++f) {
    EXPECT_EQ(std::count(folds.begin(), folds.end(), f), 150);
  }
}

TEST(ClassFolds, DealsCopiesOfFewRowsOneByOne) {
  std::vector<std::uint32_t> values, classes;
  for (std::uint32_t i = 0; i < 600; ++i) {
    values.push_back(i % 5);
    classes.push_back(i % 10 < 7 ? 0 : 1);
  }
  const auto folds = class_folds(table(values, classes), 1, 4, 9);
  std::map<std::pair<std::uint32_t, std::uint8_t>, int> of_value, of_class;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    ++of_value[{values[i], folds[i]}];
    ++of_class[{classes[i], folds[i]}];
  }
  for (std::uint8_t f = 0; f < 4; ++f) {
    EXPECT_EQ((of_class[{0, f}]), 105);
    EXPECT_EQ((of_class[{1, f}]), 45);
    for (std::uint32_t v = 0; v < 5; ++v) EXPECT_GT((of_value[{v, f}]), 10);
  }
}

// What rows a fold has, not which of their copies.
TEST(ClassFolds, FollowFromTheRowsAndNotFromTheirOrder) {
  for (const std::uint32_t distinct : {5U, 97U}) {
    std::vector<std::uint32_t> values, classes;
    for (std::uint32_t i = 0; i < 600; ++i) {
      values.push_back(i % distinct);
      classes.push_back(i * i % 7 % 3);
    }
    const auto content = [&] {
      const auto folds = class_folds(table(values, classes), 1, 4, 9);
      std::map<std::tuple<std::uint8_t, std::uint32_t, std::uint32_t>, int> rows;
      for (std::size_t i = 0; i < folds.size(); ++i) ++rows[{folds[i], values[i], classes[i]}];
      return rows;
    };
    const auto before = content();
    std::reverse(values.begin(), values.end());
    std::reverse(classes.begin(), classes.end());
    EXPECT_EQ(content(), before) << distinct;
  }
}

// Single rows, which are dealt in turns, and copies, which are dealt together before them.
TEST(ClassFolds, IsTheSameForAnyNumberOfThreads) {
  std::vector<std::uint32_t> values, classes;
  for (std::uint32_t i = 0; i < 5000; ++i) {
    values.push_back(i < 700 ? i : 700 + i % 150);
    classes.push_back(i % 11 % 3);
  }
  const Dataset data = table(values, classes);
  const auto expected = class_folds(data, 1, 4, 9);
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::uint32_t> rows;
  for (std::size_t i = 0; i < expected.size(); ++i) ++rows[{classes[i], expected[i]}];
  for (const std::uint32_t label : {0U, 1U, 2U}) {
    for (std::uint8_t f = 1; f < 4; ++f)
      EXPECT_NEAR((rows[{label, f}]), (rows[{label, std::uint8_t{0}}]), 30);
  }
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(class_folds(data, 1, 4, 9, &pool), expected) << threads;
  }
}

TEST(ClassFolds, FollowsFromTheSeed) {
  std::vector<std::uint32_t> values, classes(200, 0);
  for (std::uint32_t i = 0; i < 200; ++i) values.push_back(i);
  const Dataset data = table(values, classes);
  EXPECT_EQ(class_folds(data, 1, 3, 5), class_folds(data, 1, 3, 5));
  EXPECT_NE(class_folds(data, 1, 3, 5), class_folds(data, 1, 3, 6));
  const auto one = class_folds(data, 1, 1, 5);
  EXPECT_EQ(std::count(one.begin(), one.end(), 0), 200);
}

}  // namespace
}  // namespace atl
