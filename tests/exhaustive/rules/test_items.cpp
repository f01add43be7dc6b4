#include <bit>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/data/aligned_words.hpp"
#include "src/exhaustive/rules/items.hpp"
#include "src/exhaustive/rules/row_sets.hpp"
#include "src/exhaustive/rules/space.hpp"
#include "tests/exhaustive/rules/small_table.hpp"

namespace atl::test {

TEST(Items, HoldOnTheRowsWithTheirLabel) {
  for (const std::uint64_t rows : {1U, 63U, 64U, 65U, 4095U, 4096U, 4097U, 9000U}) {
    RandomStream draw({rows, 0, 0, 0, Purpose::test});
    std::vector<std::vector<std::uint32_t>> columns(3, std::vector<std::uint32_t>(rows));
    for (auto& column : columns) {
      for (std::uint32_t& code : column) {
        code = draw.chance(0.1) ? missing_value : static_cast<std::uint32_t>(draw.below(5));
      }
    }
    std::vector<Attribute> attributes;
    for (std::uint32_t a = 0; a < 3; ++a) attributes.push_back(labels_attribute(a, 5, columns[a]));
    const Dataset dataset = make_dataset(std::move(attributes), columns, 4096);
    const Items items(dataset);
    ASSERT_EQ(items.size(), 15U);
    for (Item i = 0; i < 15; ++i) {
      EXPECT_EQ(items.comparison(i), (Comparison{i / 5U, i % 5U, i % 5U, false}));
      std::uint64_t count = 0;
      for (std::uint64_t r = 0; r < rows; ++r) count += columns[i / 5U][r] == i % 5U ? 1 : 0;
      EXPECT_EQ(items.count(i), count);
      EXPECT_EQ(count_common(items.covered(i), items.covered(0), items.words()),
                i == 0  ? count
                : i < 5 ? 0
                        : count_common(items.covered(0), items.covered(i), items.words()));
    }
  }
}

TEST(Items, LeaveNumericAttributesOut) {
  const Dataset dataset =
      make_dataset({numeric("x", {1, 2}), ordinal("o", {"low", "high"}), nominal("c", {"a", "b"})},
                   {{0, 1, 1}, {0, 0, 1}, {1, 0, 1}});
  const Items items(dataset);
  ASSERT_EQ(items.size(), 4U);
  EXPECT_EQ(items.attribute(0), 1U);
  EXPECT_EQ(items.attribute(3), 2U);
}

TEST(Items, OfAnOrderAreAllIntervalsButThatOfAll) {
  Attribute x = numeric("x", {1, 2, 5});
  x.has_missing = true;
  const Dataset dataset =
      make_dataset({std::move(x), ordinal("o", {"low", "high"}), nominal("c", {"a", "b"})},
                   {{0, 1, 1, 2, missing_value}, {0, 0, 1, 1, 0}, {1, 0, 1, 0, 0}});
  const Items items(dataset, OrderedItems::intervals);
  ASSERT_EQ(items.size(), 5U + 2U + 2U);
  const std::vector<Comparison> of_x = {
      {0, 0, 0, false}, {0, 0, 1, false}, {0, 1, 1, false}, {0, 1, 2, false}, {0, 2, 2, false}};
  const std::vector<std::uint64_t> rows = {0b00001, 0b00111, 0b00110, 0b01110, 0b01000};
  for (Item i = 0; i < 5; ++i) {
    EXPECT_EQ(items.comparison(i), of_x[i]);
    EXPECT_EQ(items.covered(i)[0], rows[i]);
    EXPECT_EQ(items.count(i), static_cast<std::uint64_t>(std::popcount(rows[i])));
  }
  EXPECT_EQ(std::vector(items.by_attribute().begin(), items.by_attribute().end()),
            (std::vector<std::uint32_t>{5, 2, 2}));
}

TEST(Items, ConcludeWhatTheAimSays) {
  const Dataset dataset = make_dataset({nominal("a", {"p", "q", "r"}), nominal("b", {"x", "y"})},
                                       {{0, 1, 2, 2}, {0, 1, 1, 0}});
  const auto concluded = [&](const ItemAim& aim) {
    const Items items(dataset, OrderedItems::labels, aim);
    std::vector<Comparison> found;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items.is_concluded(static_cast<Item>(i))) {
        found.push_back(items.comparison(static_cast<Item>(i)));
      }
    }
    EXPECT_EQ(items.aimed(), found.size() < items.size());
    return found;
  };
  using Some = std::vector<Comparison>;
  EXPECT_EQ(concluded({}).size(), 5U);
  EXPECT_EQ(concluded({{1}, {}}), (Some{{1, 0, 0, false}, {1, 1, 1, false}}));
  EXPECT_EQ(concluded({{}, {{0, 2, 2, false}}}), (Some{{0, 2, 2, false}}));
  const Items others(dataset, OrderedItems::labels, {{}, {{0, 0, 0, true}}});
  ASSERT_EQ(others.size(), 3U) << "the target alone is said of its attribute";
  EXPECT_EQ(others.covered(0)[0], 0b1110U);
  EXPECT_EQ(space_size(others, 2), 2U);
  EXPECT_EQ(concluded({{1}, {{0, 2, 2, false}}}).size(), 3U);
}

TEST(Items, TooManyLabelsAreRefused) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> column;
  for (std::uint32_t l = 0; l <= most_items; ++l) {
    names.push_back(std::to_string(l));
    column.push_back(l);
  }
  const Dataset dataset = make_dataset({nominal("id", names)}, {column});
  EXPECT_THROW(Items{dataset}, UsageError);
}

TEST(RowSets, IntersectAndCount) {
  for (const std::size_t words : {8U, 16U, 24U, 1000U}) {
    RandomStream draw({words, 0, 0, 0, Purpose::test});
    AlignedWords a(words), b(words), both(words);
    std::uint64_t expected = 0;
    for (std::size_t w = 0; w < words; ++w) {
      a.data()[w] = draw.next_u64();
      b.data()[w] = draw.next_u64();
      expected += static_cast<std::uint64_t>(std::popcount(a.data()[w] & b.data()[w]));
    }
    EXPECT_EQ(count_common(a.data(), b.data(), words), expected);
    EXPECT_EQ(intersect(a.data(), b.data(), words, both.data()), expected);
    for (std::size_t w = 0; w < words; ++w) {
      EXPECT_EQ(both.data()[w], a.data()[w] & b.data()[w]);
    }
  }
}

TEST(SpaceSize, CountsEveryRuleOnce) {
  const std::vector<std::uint32_t> three = {2, 3, 4};
  EXPECT_EQ(space_size(three, 2), 6U + 8U + 12U);             // unordered pairs
  EXPECT_EQ(space_size(three, 3), 6U + 8U + 12U + 3U * 24U);  // and three consequents each
  EXPECT_EQ(space_size(three, 5), space_size(three, 3));
  EXPECT_EQ(space_size(std::vector<std::uint32_t>(2000, 1000), 8), ~std::uint64_t{0});
}

}  // namespace atl::test
