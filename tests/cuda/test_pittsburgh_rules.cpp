// Decision lists as the published pipeline uploads them.
#include <gtest/gtest.h>

#include "cuda/host/pittsburgh_rules.hpp"
#include "src/core/error.hpp"

namespace atl::test {
namespace {

std::vector<Attribute> two_attributes() {
  Attribute size;
  size.name = "size";
  size.low = size.high = {1, 2, 3, 5, 8};
  Attribute colour;
  colour.name = "colour";
  colour.kind = AttributeKind::nominal;
  colour.labels = {"blue", "green", "red"};
  return {size, colour};
}

constexpr auto symbol(cuda::PittsburghSymbol s) {
  return static_cast<float>(s);
}

TEST(PittsburghRules, PutRelationsFirstAndConnectivesLast) {
  using enum cuda::PittsburghSymbol;
  const Expression first({Op::comparison, Op::comparison, Op::negation, Op::disjunction,
                          Op::comparison, Op::conjunction},
                         {{0, 2, 4, false}, {0, 0, 1, false}, {1, 1, 1, true}});
  const Expression second = Expression::of({0, 1, 3, true});
  const std::vector<RuleSet> lists = {{{{first, 1}, {second, 0}}, 2}, {{{Expression(), 2}}, 1}};
  cuda::PittsburghRules rules;
  rules.build(lists, two_attributes());
  const std::vector<float> symbols = {symbol(greater_equal),
                                      0,
                                      2,
                                      symbol(less_equal),
                                      0,
                                      1,
                                      symbol(negation),
                                      symbol(disjunction),
                                      symbol(not_equal),
                                      1,
                                      1,
                                      symbol(conjunction),
                                      symbol(end_rule),
                                      symbol(less),
                                      0,
                                      1,
                                      symbol(greater),
                                      0,
                                      3,
                                      symbol(disjunction),
                                      symbol(end_rule),
                                      symbol(end_rule)};
  EXPECT_EQ(std::vector(rules.symbols().begin(), rules.symbols().end()), symbols);
  EXPECT_EQ(rules.most_rules(), 2U);
  const std::vector<std::size_t> begins = {0, 13, 21, cuda::PittsburghRules::none};
  EXPECT_EQ(std::vector(rules.begins().begin(), rules.begins().end()), begins);
  const std::vector<std::int32_t> consequents = {1, 0, 2, 0};
  EXPECT_EQ(std::vector(rules.consequents().begin(), rules.consequents().end()), consequents);
  EXPECT_EQ(std::vector(rules.defaults().begin(), rules.defaults().end()),
            (std::vector<std::int32_t>{2, 1}));
}

TEST(PittsburghRules, RefuseWhatNeedsTooMuchOfTheStack) {
  Ops program;
  Comparisons comparisons;
  for (std::uint32_t c = 0; c < cuda::pittsburgh_levels; ++c) {
    program.push_back(Op::comparison);
    comparisons.push_back({1, 0, 0, false});
  }
  for (std::uint32_t c = 1; c < cuda::pittsburgh_levels; ++c) program.push_back(Op::conjunction);
  const std::vector<RuleSet> lists = {{{{Expression(program, comparisons), 1}}, 2}};
  cuda::PittsburghRules rules;
  EXPECT_THROW(rules.build(lists, two_attributes()), UsageError);
}

}  // namespace
}  // namespace atl::test
