#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/data/transactions/item_attribute.hpp"
#include "src/rules/item_table.hpp"
#include "src/rules/item_text.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::test {
namespace {

TEST(ItemName, IsReadAsItIsWritten) {
  for (const std::string name : {"milk", "red wine", "a,b", "\"", "\\", "AND", "then", "=", "a=b",
                                 "x\ny", "\x01", "\xC3\xA4", "\xE2\x80\xAE", "[", "7"}) {
    EXPECT_EQ(item_name(item_text(name)), name);
  }
}

// Rows beyond one partition, items that are not asked for, and one that there is not.
TEST(ItemTable, HasAPlaneForEachItem) {
  constexpr std::uint32_t rows = 4096 + 100;
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (row % 3 == 0) items.push_back(0);
    if (row % 5 == 0) items.push_back(1);
    if (row % 7 == 0) items.push_back(2);
    starts.push_back(items.size());
  }
  const TransactionSet set({"a", item_text("b c"), "d"}, starts, items);
  const Dataset table = item_table(set, {"d", "nobody", "b c"}, 4096, {1, 2});
  ASSERT_EQ(table.rows(), rows);
  EXPECT_EQ(table.fingerprint(), (Fingerprint{1, 2}));
  ASSERT_EQ(table.attributes().size(), 3U);
  EXPECT_TRUE(are_items(table.attributes()));
  for (std::uint32_t row = 0; row < rows; ++row) {
    EXPECT_EQ(table.code(row, 0), row % 7 == 0 ? item_present : item_absent);
    EXPECT_EQ(table.code(row, 1), item_absent);
    EXPECT_EQ(table.code(row, 2), row % 5 == 0 ? item_present : item_absent);
  }
  EXPECT_EQ(table.attributes()[2].name, "b c");
  EXPECT_EQ(table.attributes()[2].counts[item_present], set.supports()[1]);
  EXPECT_EQ(table.attributes()[1].counts[item_present], 0U);
}

TEST(ItemText, ANameAloneSaysThatTheItemIsThere) {
  const std::vector<Attribute> items = {item_attribute("bread", 1, 9),
                                        item_attribute("red wine", 2, 9),
                                        item_attribute("in", 3, 9), item_attribute("a=b", 3, 9)};
  const std::string text = "bread AND \"red wine\" AND \"in\" => \"a=b\"";
  const Rule rule = parse_rule(text, items, "text");
  EXPECT_EQ(to_text(rule, items), text);
  EXPECT_EQ(rule.consequent.comparisons()[0], (Comparison{3, item_present, item_present, false}));
  EXPECT_EQ(parse_rule("\"in\" = present AND bread AND \"red wine\" != absent => \"a=b\" = present",
                       items, "text"),
            rule);
  EXPECT_EQ(to_text(parse_comparison("bread = absent", items, "text"), items), "bread = absent");
  EXPECT_EQ(
      to_text(parse_expression("NOT bread OR bread not in [absent, absent]", items, "text"), items),
      "bread = absent OR bread");
  EXPECT_THROW(parse_rule("bread => butter", items, "text"), BadCell);
  EXPECT_THROW(parse_rule("bread \"red wine\" => \"in\"", items, "text"), BadCell);
}

}  // namespace
}  // namespace atl::test
