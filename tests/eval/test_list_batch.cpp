// Decision lists made ready: what is shared, and in what order expressions are evaluated.
#include <gtest/gtest.h>

#include "src/eval/list_batch.hpp"
#include "tests/eval/random_lists.hpp"

namespace atl::test {
namespace {

struct Lists {
  RandomTable table = classified_table(5, 100, 3, true);
  Dataset data = make_dataset(table.attributes, table.columns);
  ClassTiles tiles{data, {8}, 16};
};

std::uint32_t word(std::uint32_t number, ListCode code) {
  return number << list_code_bits | static_cast<std::uint32_t>(code);
}
std::uint32_t token(std::uint32_t slot, ListStep step) {
  return slot << list_step_bits | static_cast<std::uint32_t>(step);
}

TEST(ListBatch, EvaluatesOnceWhatListsHaveInCommon) {
  const Lists sample;
  const Expression a = Expression::of({0, 0, 0, false});
  const Expression b = Expression::of({1, 0, 0, false});
  const std::vector<RuleSet> lists = {{{{a, 0}, {both(a, b), 1}}, 0}, {{{a, 1}, {b, 2}}, 0}};
  ListBatch batch;
  batch.compile(lists, sample.tiles, {});
  ASSERT_EQ(batch.groups().size(), 1U);
  EXPECT_EQ(batch.operands().size(), 2U);
  EXPECT_EQ(batch.shared(), 1U);
  EXPECT_EQ(batch.entries(), 4U);
  EXPECT_EQ(batch.comparisons(), 5U);
  // The shared antecedent, in slot 2; then that slot and a AND b; then that slot and b.
  const std::vector<std::uint32_t> stream = {word(1, ListCode::conjunction),
                                             0,
                                             word(2, ListCode::slot),
                                             word(2, ListCode::conjunction),
                                             0,
                                             1,
                                             word(2, ListCode::slot),
                                             word(1, ListCode::conjunction),
                                             1};
  EXPECT_EQ(std::vector(batch.stream().begin(), batch.stream().end()), stream);
  const std::vector<std::uint32_t> counters = {4, 1, 4, 3};
  EXPECT_EQ(std::vector(batch.covered_by().begin(), batch.covered_by().end()), counters);
}

TEST(ListBatch, TakesAComparisonAndTheComplementOfTheOppositeOneAsTheSame) {
  Attribute size;
  size.name = "size";
  size.low = size.high = {1, 2, 3, 5, 8};
  Attribute label;
  label.name = "class";
  label.kind = AttributeKind::nominal;
  label.labels = {"a", "b"};
  const Expression not_above({Op::comparison, Op::negation}, {{0, 3, 4, false}});
  const std::vector<RuleSet> lists = {
      {{{Expression::of({0, 0, 2, false}), 0},  // <= 3, in all forms
        {Expression::of({0, 3, 4, true}), 0},
        {not_above, 1}},
       0}};
  for (const bool missing : {false, true}) {
    size.has_missing = missing;  // then NOT is another thing than the opposite
    const Dataset data = make_dataset({size, label}, {{missing ? missing_code : 0, 3}, {0, 1}});
    const ClassTiles tiles(data, {1}, 16);
    ListBatch batch;
    batch.compile(lists, tiles, {});
    EXPECT_EQ(batch.operands().size(), missing ? 3U : 1U);
  }
}

TEST(ListBatch, NeedsNoStackForOperandsAndPutsDeepPartsFirst) {
  const Lists sample;
  const Comparison a{0, 0, 0, false}, b{1, 0, 0, false}, c{2, 0, 0, false}, d{3, 0, 0, false};
  const auto tokens = [&](const Ops& program, const Comparisons& comparisons) {
    ListBatch batch;
    const std::vector<RuleSet> lists = {{{{Expression(program, comparisons), 0}}, 0}};
    batch.compile(lists, sample.tiles, {});
    return std::vector(batch.stream().begin() + 1, batch.stream().end());
  };
  constexpr Op leaf = Op::comparison;
  // a AND (b OR c): b OR c first.
  EXPECT_EQ(tokens({leaf, leaf, leaf, Op::disjunction, Op::conjunction}, {a, b, c}),
            (std::vector{token(1, ListStep::conjunction), token(2, ListStep::disjunction),
                         token(0, ListStep::conjunction)}));
  // NOT (a AND b) OR (c AND d) is (NOT a OR NOT b) OR (c AND d).
  EXPECT_EQ(tokens({leaf, leaf, Op::conjunction, Op::negation, leaf, leaf, Op::conjunction,
                    Op::disjunction},
                   {a, b, c, d}),
            (std::vector{token(0, ListStep::conjunction), token(1, ListStep::disjunction),
                         token(2, ListStep::push), token(3, ListStep::conjunction),
                         token(0, ListStep::pop_disjunction)}));
}

TEST(ListBatch, GroupsKeepToLimitsUnlessAListIsLarger) {
  const Lists sample;
  const auto lists = random_lists(9, 40, sample.data.attributes(), 10);
  ListBatch batch;
  std::uint32_t most = 0;
  for (const std::uint32_t slots : {5U, 20U, 60U}) {
    batch.compile(lists, sample.tiles, {.slots = slots});
    EXPECT_GT(batch.groups().size(), 2U);
    std::uint32_t list = 0;
    for (const ListGroup& group : batch.groups()) {
      EXPECT_EQ(group.first_list, list);
      list = group.end_list;
      if (group.end_list - group.first_list > 1) {
        EXPECT_LE(group.slots(), slots);
        most = std::max(most, group.slots());
      }
    }
    EXPECT_EQ(list, 40U);
    EXPECT_EQ(batch.entries(), batch.covered_by().size());
  }
  EXPECT_GT(most, 50U);
  batch.compile(lists, sample.tiles, {.lists = 8});
  EXPECT_EQ(batch.groups().size(), 5U);
  batch.compile({}, sample.tiles, {});
  EXPECT_TRUE(batch.groups().empty());
  EXPECT_EQ(batch.entries(), 0U);
}

}  // namespace
}  // namespace atl::test
