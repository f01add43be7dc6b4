#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/transactions/itemset_rule_writer.hpp"

namespace atl::io::test {
namespace {

TEST(ItemsetRuleWriter, WritesOneALineWithMeasures) {
  const std::vector<std::string> names = {"bread", "\"red wine\"", "=1+1", "odor=n"};
  std::string text;
  ItemsetRuleWriter writer(names, {Measure::support, Measure::confidence, Measure::conviction},
                           [&](std::string_view piece) { text += piece; });
  const std::vector<std::uint32_t> antecedent = {1, 0}, consequent = {2}, other = {3};
  ContingencyTable table;
  table.n = 8;
  table.n_antecedent = 4;
  table.n_consequent = 2;
  table.n_both = 1;
  writer.write({antecedent, consequent, table});
  table.n_both = 4;
  table.n_consequent = 8;
  writer.write({other, antecedent, table});
  EXPECT_EQ(writer.finish(), 2U);
  EXPECT_EQ(text,
            "antecedent,consequent,items,n,n_antecedent,n_consequent,n_both,support,confidence,"
            "conviction\n"
            "\"\"\"red wine\"\" AND bread\",'=1+1,3,8,4,2,1,0.125,0.25,1\n"
            "odor=n,\"\"\"red wine\"\" AND bread\",3,8,4,8,4,0.5,1,\n");
}

TEST(ItemsetRuleWriter, WithoutRulesWritesTheHeader) {
  const std::vector<std::string> names;
  std::string text;
  ItemsetRuleWriter writer(names, {}, [&](std::string_view piece) { text += piece; });
  EXPECT_EQ(writer.finish(), 0U);
  EXPECT_EQ(text, "antecedent,consequent,items,n,n_antecedent,n_consequent,n_both\n");
}

}  // namespace
}  // namespace atl::io::test
