#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/rules/item_table.hpp"

namespace atl::test {
namespace {

Attribute labels(const std::string& name, std::vector<std::string> all, bool missing = false) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::nominal;
  attribute.labels = std::move(all);
  attribute.has_missing = missing;
  return attribute;
}

TEST(LabelItems, AreTheLabelsThatARowHas) {
  Attribute number;
  number.name = "age";
  number.kind = AttributeKind::numeric;
  number.low = number.high = {1, 2};
  const Dataset dataset =
      make_dataset({labels("odor", {"none", "very bad"}, true), number, labels("a b", {"x", "y"})},
                   {{0, missing_code, 1}, {0, 1, 0}, {1, 0, 0}});
  const TransactionSet set = label_items(dataset);
  EXPECT_EQ(set.names(),
            (std::vector<std::string>{"odor=none", "odor=\"very bad\"", "\"a b\"=x", "\"a b\"=y"}));
  ASSERT_EQ(set.size(), 3U);
  const auto row = [&](std::uint32_t t) {
    const auto items = set.transaction(t);
    return std::vector<std::uint32_t>(items.begin(), items.end());
  };
  EXPECT_EQ(row(0), (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(row(1), (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(row(2), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(set.supports(), (std::vector<std::uint32_t>{1, 1, 2, 1}));
}

TEST(LabelItems, OfManyPartitionsAreThoseOfEachRow) {
  std::vector<std::uint32_t> codes(10'000);
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint32_t>(i / 7 % 3);
  const Dataset dataset = make_dataset({labels("a", {"0", "1", "2"})}, {codes}, 4096);
  const TransactionSet set = label_items(dataset);
  ASSERT_EQ(set.size(), codes.size());
  for (std::uint32_t t = 0; t < set.size(); ++t) {
    ASSERT_EQ(set.transaction(t).size(), 1U);
    ASSERT_EQ(set.transaction(t)[0], codes[t]) << t;
  }
}

}  // namespace
}  // namespace atl::test
