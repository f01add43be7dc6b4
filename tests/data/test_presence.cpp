#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/data/presence.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {
namespace {

TEST(Presence, IsOneOfTwoValuesThatMeanAbsentAndThere) {
  EXPECT_EQ(presence_code(numeric("a", {0, 1})), 1U);
  EXPECT_EQ(presence_code(with_missing(numeric("a", {0, 1}))), 1U);
  EXPECT_EQ(presence_code(nominal("a", {"no", "yes"})), 1U);
  EXPECT_EQ(presence_code(nominal("a", {"YES", "no"})), 0U);
  EXPECT_EQ(presence_code(nominal("a", {"F", "T"})), 1U);
  EXPECT_EQ(presence_code(nominal("a", {"+", "-"})), 0U);
  EXPECT_EQ(presence_code(nominal("a", {"0", "1"})), 1U);
  EXPECT_EQ(presence_code(nominal("a", {"False", "True"})), 1U);
  EXPECT_EQ(presence_code(nominal("a", {"n", "y"})), 1U);
  EXPECT_EQ(presence_code(ordinal("a", {"present", "absent"})), 0U);
}

TEST(Presence, IsNoneOfTwoDates) {
  for (const AttributeKind kind :
       {AttributeKind::date, AttributeKind::date_time, AttributeKind::date_time_utc}) {
    Attribute days;
    days.kind = kind;
    days.low = days.high = {0, 1};
    EXPECT_FALSE(presence_code(days));
  }
}

TEST(Presence, IsNoneOfAnythingElse) {
  for (const auto& values : {std::vector<double>{0}, {1}, {0, 2}, {1, 2}, {-1, 1}, {0, 1, 2}})
    EXPECT_FALSE(presence_code(numeric("a", values))) << values.back();
  EXPECT_FALSE(presence_code(binned("a", {0, 1}, {0.5, 1})));
  using Labels = std::vector<std::string>;
  for (const Labels& labels : {Labels{"no", "true"},
                               {"f", "m"},
                               {"yes"},
                               {"maybe", "no", "yes"},
                               {"no ", "yes"},
                               {"", "yes"},
                               {"0", "yes"},
                               {"y", "yes"}})
    EXPECT_FALSE(presence_code(nominal("a", labels))) << labels.back();
  EXPECT_FALSE(presence_code(Attribute()));
}

std::vector<Attribute> items(std::size_t number, std::uint64_t there, std::uint64_t rows) {
  std::vector<Attribute> attributes;
  for (std::size_t a = 0; a < number; ++a) {
    attributes.push_back(numeric("i" + std::to_string(a), {0, 1}));
    attributes.back().counts = {rows - there, there};
  }
  return attributes;
}

TEST(Presence, AListOfItemsHasManyOfThemThatFewRowsHave) {
  EXPECT_TRUE(summarise_presence(items(8, 9, 100)).lists_items());
  EXPECT_FALSE(summarise_presence(items(7, 9, 100)).lists_items()) << "too few";
  EXPECT_FALSE(summarise_presence(items(8, 10, 100)).lists_items()) << "on too many rows";
  auto table = items(18, 5, 100);
  table.push_back(nominal("constant", {"x"}));
  table.push_back(nominal("class", {"a", "b"}));
  table.push_back(numeric("age", {1, 2, 3}));
  EXPECT_TRUE(summarise_presence(table).lists_items()) << "18 of 20 varied ones";
  table.push_back(numeric("price", {1, 2, 3}));
  EXPECT_FALSE(summarise_presence(table).lists_items()) << "18 of 21";
  auto missing = items(8, 10, 100);
  for (Attribute& attribute : missing) attribute.missing = 5;
  EXPECT_TRUE(summarise_presence(missing).lists_items()) << "of all rows";
  auto uncounted = items(8, 1, 100);
  for (Attribute& attribute : uncounted) attribute.counts.clear();
  EXPECT_FALSE(summarise_presence(uncounted).lists_items());
  EXPECT_FALSE(summarise_presence({}).lists_items());
}

}  // namespace
}  // namespace atl::test
