#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/text/label_number.hpp"

namespace atl::test {

TEST(LabelNumber, IsNoCodeAndNoIntegerThatADoubleCannotTellFromOthers) {
  EXPECT_EQ(label_number("1.50"), 1.5);
  EXPECT_EQ(label_number("1e0"), 1.0);
  EXPECT_EQ(label_number("+3"), 3.0);
  EXPECT_EQ(label_number("0"), 0.0);
  EXPECT_EQ(label_number("0.0"), 0.0);
  EXPECT_EQ(label_number("-0"), 0.0);
  EXPECT_EQ(label_number("9007199254740991"), 9007199254740991.0);
  for (const char* const label : {"", "007", "00", "-01", "yes", "1,5", "nan", "inf", "1e999",
                                  "9007199254740993", "-9007199254740993"}) {
    EXPECT_FALSE(label_number(label)) << label;
  }
}

TEST(FindLabel, TakesTheTextFirstAndThenTheOnlyEqualNumber) {
  const std::vector<std::string> labels = {"0", "1.0", "1", "2.50", "007", "x"};
  EXPECT_EQ(find_label(labels, "1"), 2U);
  EXPECT_EQ(find_label(labels, "0.0"), 0U);
  EXPECT_EQ(find_label(labels, "25e-1"), 3U);
  EXPECT_EQ(find_label(labels, "007"), 4U);
  EXPECT_FALSE(find_label(labels, "1e0")) << "two labels are this number";
  EXPECT_FALSE(find_label(labels, "7")) << "007 is a code";
  EXPECT_FALSE(find_label(labels, "3"));
  EXPECT_FALSE(find_label(labels, "X"));
}

TEST(AreLabelNumbers, AsksForAllOfThemAndForOne) {
  EXPECT_TRUE(are_label_numbers(std::vector<std::string>{"1", "2.0"}));
  EXPECT_FALSE(are_label_numbers(std::vector<std::string>{"1", "x"}));
  EXPECT_FALSE(are_label_numbers(std::vector<std::string>{"1", "01"}));
  EXPECT_FALSE(are_label_numbers(std::vector<std::string>{}));
}

}  // namespace atl::test
