#include <gtest/gtest.h>

#include "src/results/compare/overlap.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::test {
namespace {

Attribute numbered(const std::string& name, std::uint32_t values) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::numeric;
  for (std::uint32_t v = 0; v < values; ++v) attribute.low.push_back(v);
  attribute.high = attribute.low;
  attribute.exact_distinct = values;
  return attribute;
}

/// x is 0 to 9 on ten rows, y is 1 on the last four.
Dataset ten_rows() {
  return make_dataset({numbered("x", 10), numbered("y", 2)},
                      {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}});
}

std::vector<WrittenRule> written(const std::vector<std::string>& texts, const Dataset& data) {
  std::vector<RuleRecord> records;
  for (const std::string& text : texts) {
    records.emplace_back().rule = parse_rule(text, data.attributes(), "test");
  }
  return to_written(records, data.attributes());
}

TEST(Overlap, ByRowsIsByTheJaccardIndex) {
  const Dataset data = ten_rows();
  const auto own = written({"x > 5 => y = 1", "x > 4 => y = 1", "x <= 1 => y = 0"}, data);
  const auto others = written({"x > 5 => y = 1", "x > 2 => y = 1", "x <= 5 => y = 0"}, data);
  ThreadPool pool(1);
  const RowsOfRules a(own, data, pool), b(others, data, pool);
  const auto found = a.counterparts_in(b);
  EXPECT_EQ(found[0].shared, Shared::rule);
  EXPECT_EQ(found[1].shared, Shared::alike);  // 4 of 5 rows
  EXPECT_EQ(found[1].other, 0U);
  EXPECT_DOUBLE_EQ(*found[1].jaccard, 0.8);
  EXPECT_EQ(found[2].shared, Shared::none);
  EXPECT_EQ(found[2].other, 2U) << "the only one that concludes the same";
  EXPECT_DOUBLE_EQ(*found[2].jaccard, 2.0 / 6);
}

TEST(Overlap, MeritHalvesWhatIsCovered) {
  const Dataset data = ten_rows();
  ThreadPool pool(1);
  const auto rules = written({"x > 5 => y = 1", "x > 4 => y = 1"}, data);
  // 4 rows gain 0.6 / 10; then they count half, and one more loses 0.4 / 10.
  EXPECT_NEAR(RowsOfRules(rules, data, pool).merit(2), 0.24 + 0.08, 1e-12);
  EXPECT_NEAR(RowsOfRules(rules, data, pool).merit(1), 0.24, 1e-12);
}

TEST(Overlap, WithoutDataBoundsHaveToOverlap) {
  const Dataset data = ten_rows();
  const auto own = written({"x > 5 => y = 1", "x > 3 => y = 1", "x <= 1 => y = 0"}, data);
  const auto found = counterparts(own, written({"x > 5 => y = 1", "x in [3, 4] => y = 0"}, data));
  EXPECT_EQ(found[0].shared, Shared::rule);
  EXPECT_EQ(found[1].shared, Shared::alike);
  EXPECT_EQ(found[2].shared, Shared::none);
  EXPECT_FALSE(found[2].other);
}

}  // namespace
}  // namespace atl::test
