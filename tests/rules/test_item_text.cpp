#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/rules/item_text.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {

namespace {

std::vector<Attribute> table() {
  return {nominal("color", {"red", "dark AND deep"}), numeric("milk", {0, 1}),
          numeric("red wine", {0, 1}), numeric("10", {0, 1}), numeric("size", {1, 2, 3})};
}

std::string parsed(const std::string& items) {
  const std::vector<Attribute> attributes = table();
  return to_text(parse_items(items, attributes, "text"), attributes);
}

}  // namespace

TEST(ItemText, NamesOfWhatIsThere) {
  EXPECT_EQ(parsed("milk"), "milk = 1");
  EXPECT_EQ(parsed("10 AND \"red wine\" AND milk"), "milk = 1 AND \"red wine\" = 1 AND 10 = 1");
}

TEST(ItemText, LabelsOfAttributes) {
  EXPECT_EQ(parsed("color=red"), "color = red");
  EXPECT_EQ(parsed("color=\"dark AND deep\" AND milk=0"), "color = \"dark AND deep\" AND milk = 0");
  EXPECT_EQ(parsed("milk = 1 AND color = red"), "color = red AND milk = 1");
}

TEST(ItemText, WhatTheDataDoNotHaveIsRefused) {
  for (const char* text : {"", "AND", "beer", "size", "milk AND", "milk beer", "color=blue",
                           "milk AND color=red", "\"red wine", "color="}) {
    EXPECT_THROW(parsed(text), BadCell) << text;
  }
}

}  // namespace atl::test
