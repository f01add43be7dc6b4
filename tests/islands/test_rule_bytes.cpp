#include <gtest/gtest.h>

#include "islands/population.hpp"
#include "islands/rule_bytes.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {
namespace {

// As a migrant it travels like that.
TEST(RuleBytes, AnIndividualComesBackAsItWas) {
  const Dataset dataset = planted_table(200);
  const BoundGrammar grammar = association_grammar(dataset);
  for (Individual& sent : derive_population(grammar, 1, 0, 8)) {
    sent.statistics.table = {9, 4, 3, 2};
    sent.statistics.missing_consequent = 1;
    for (std::uint64_t i = 0; i < sent.rule.comparisons(); ++i) {
      sent.statistics.comparison_supports.push_back(i + 2);
    }
    ByteWriter out;
    encode(out, sent);
    ByteReader in(out.bytes());
    const Individual came = decode_individual(in, grammar);
    in.expect_end();
    EXPECT_EQ(came.derivation, sent.derivation);
    EXPECT_EQ(came.rule, sent.rule);
    EXPECT_EQ(came.key, sent.key);
    EXPECT_EQ(came.statistics, sent.statistics);
  }
}

}  // namespace
}  // namespace atl::test
