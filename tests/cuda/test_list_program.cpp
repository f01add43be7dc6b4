// Decision lists as they are written for the device.
#include <gtest/gtest.h>

#include "cuda/host/list_program.hpp"
#include "tests/eval/random_lists.hpp"

namespace atl::test {
namespace {

TEST(ListProgram, AsPinned) {
  Attribute age;
  age.name = "age";
  for (int year = 0; year < 100; ++year) age.low.push_back(year);
  age.high = age.low;
  Attribute colour;
  colour.name = "colour";
  colour.kind = AttributeKind::nominal;
  colour.has_missing = true;
  colour.labels = {"blue", "green", "red"};
  Attribute sold;
  sold.name = "sold";
  sold.kind = AttributeKind::nominal;
  sold.labels = {"no", "yes"};
  const Dataset data = make_dataset({age, colour, sold}, {{0, 50}, {1, missing_code}, {0, 1}});
  const ClassTiles tiles(data, {.class_attribute = 2}, cuda::list_tile_words);
  // age <= 40 AND colour != red, then age <= 40; again in another list; NOT (age <= 40 AND ...).
  const Expression young = Expression::of({0, 0, 40, false});
  const Expression both_of = both(young, Expression::of({1, 2, 2, true}));
  const Expression neither({Op::comparison, Op::comparison, Op::conjunction, Op::negation},
                           {{0, 0, 40, false}, {1, 2, 2, true}});
  const std::vector<RuleSet> lists = {{{{both_of, 0}, {young, 1}}, 0},
                                      {{{young, 1}, {neither, 0}}, 0}};
  ListBatch batch;
  batch.compile(lists, tiles, {});
  cuda::ListProgram program;
  program.build(batch);
  const std::vector<std::uint32_t> words = {
      // The group: 4 operands from 0 on, 1 shared antecedent at unit 0, 2 lists.
      0, 4, 1, 0, 0, 2, 0, 0,
      // age > 40 of planes 0 to 6, complemented; colour = red of planes 7 and 8, inverted among
      // those
      // present; and the complements of both.
      0, 7 | 2 << 6 | 1 << 10, 40, 0,         //
      7, 2 | 1 << 6 | 1 << 8 | 1 << 9, 2, 0,  //
      0, 7 | 2 << 6, 40, 0,                   //
      7, 2 | 1 << 6 | 1 << 8 | 1 << 9 | 1 << 10, 2, 0,
      // The shared antecedent, in slot 4: a conjunction of slot 0 alone.
      1 << 2 | 1, 0, 0, 0,
      // First list: slots 0 and 1; slot 4.
      2 << 2 | 1, 0, 512, 0, 2048 << 2, 0, 0, 0,
      // Second list: slot 4; slot 2 OR slot 3.
      2048 << 2, 0, 0, 0, 2 << 2 | 2, 1024, 1536 | 1, 0,
      // The unit behind the last.
      0, 0, 0, 0,
      // Units of the lists; their first entries; what counts each entry's rows.
      1, 3, 0, 2, 4, 0, 4, 4, 3};
  EXPECT_EQ(std::vector(program.words().begin(), program.words().end()), words);
  EXPECT_EQ(program.operands(), 8U);
  EXPECT_EQ(program.stream(), 24U);
  EXPECT_EQ(program.list_units(), 48U);
  EXPECT_EQ(program.first_entry(), 50U);
  EXPECT_EQ(program.covered_by(), 53U);
  EXPECT_EQ(program.slots(), 5U);
}

TEST(ListProgram, BeginsAllAntecedentsAtUnits) {
  const RandomTable table = classified_table(5, 100, 3, true);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const ClassTiles tiles(data, {8}, cuda::list_tile_words);
  ListBatch batch;
  batch.compile(random_lists(9, 40, data.attributes(), 10), tiles, {.slots = 60});
  cuda::ListProgram program;
  program.build(batch);
  EXPECT_EQ(program.stream() % cuda::unit_words, 0U);
  EXPECT_EQ(program.list_units() % cuda::unit_words, 0U);
  EXPECT_EQ(program.words().size(), program.covered_by() + batch.entries());
}

}  // namespace
}  // namespace atl::test
