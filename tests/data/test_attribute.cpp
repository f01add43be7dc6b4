#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/attribute.hpp"

namespace atl::test {

namespace {

Attribute number_of(const std::vector<double>& values) {
  Attribute attribute;
  attribute.low = attribute.high = values;
  attribute.exact_distinct = values.size();
  return attribute;
}

std::vector<double> up_to(std::size_t last) {
  std::vector<double> values;
  for (std::size_t value = 1; value <= last; ++value) values.push_back(static_cast<double>(value));
  return values;
}

}  // namespace

TEST(Attribute, OfFewWholeNumbersCanBeLabels) {
  EXPECT_TRUE(can_be_labels(number_of({0, 1})));
  EXPECT_TRUE(can_be_labels(number_of({-3, 7, 1e6})));
  EXPECT_TRUE(can_be_labels(number_of(up_to(20))));
  EXPECT_FALSE(can_be_labels(number_of(up_to(21))));
  EXPECT_FALSE(can_be_labels(number_of({1, 2, 2.5})));
}

TEST(Attribute, OfBinsOrOfLabelsAlreadyCannot) {
  Attribute binned = number_of(up_to(5));
  binned.exact_distinct = 10;
  EXPECT_FALSE(can_be_labels(binned));
  Attribute nominal;
  nominal.kind = AttributeKind::nominal;
  nominal.labels = {"1", "2"};
  nominal.exact_distinct = 2;
  EXPECT_FALSE(can_be_labels(nominal));
}

TEST(Attribute, TakenAsLabelsHasNoOrder) {
  Attribute attribute = number_of({1, 2, 3});
  EXPECT_TRUE(attribute.ordered());
  attribute.as_labels = true;
  EXPECT_FALSE(attribute.ordered());
}

}  // namespace atl::test
