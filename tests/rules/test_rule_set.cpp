#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/rules/rule_set.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

const std::vector<Attribute> table = {numeric("x", {1, 2, 3, 4, 5}), nominal("c", {"a", "b", "d"}),
                                      with_missing(numeric("m", {1, 2, 3})),
                                      nominal("class", {"no", "yes"})};
constexpr std::uint32_t class_attribute = 3, no = 0, yes = 1;

const Expression x_low = Expression::of({0, 0, 1, false});
const Expression c_is_b = Expression::of({1, 1, 1, false});
const Expression m_high = Expression::of({2, 2, 2, false});
/// c = b AND x <= 2, which is not in the order of attributes.
const Expression both_ways =
    Expression::conjunction(std::vector{Comparison{1, 1, 1, false}, Comparison{0, 0, 1, false}});

RuleSet decoded(const RuleSet& list) {
  ByteWriter out;
  encode(out, list);
  ByteReader in(out.bytes());
  RuleSet again = decode_rule_set(in, table, class_attribute);
  in.expect_end();
  return again;
}

/// The definition of what a list says.
std::uint32_t decide(const RuleSet& list, const std::vector<std::uint32_t>& row) {
  for (const ClassRule& rule : list.rules)
    if (rule.antecedent.empty() || holds(rule.antecedent, row)) return rule.label;
  return list.default_class;
}

RuleSet random_list(std::uint64_t seed, const std::vector<Attribute>& attributes,
                    std::uint32_t classes) {
  RandomStream stream({seed, 2, 0, 0, Purpose::test});
  return random_rule_set(stream, attributes, classes, 8);
}

TEST(RuleSet, CountsSymbolsAndComparisonsOfAntecedents) {
  const Expression inverted({Op::comparison, Op::negation}, {Comparison{2, 0, 0, false}});
  const RuleSet list{{{both_ways, yes}, {inverted, no}}, no};
  EXPECT_EQ(list.comparisons(), 3U);
  EXPECT_EQ(symbols(list), 7U + 4U);
  EXPECT_EQ(symbols(RuleSet{}), 0U);
  EXPECT_TRUE(names(list, 2));
  EXPECT_FALSE(names(list, class_attribute));
}

TEST(RuleSet, OrderIsByRulesThenComparisonsThenContent) {
  const RuleSet none{{}, yes};
  const RuleSet one{{{both_ways, yes}}, no};
  const RuleSet two{{{x_low, no}, {c_is_b, yes}}, no};
  const RuleSet longer{{{x_low, no}, {both_ways, no}}, no};
  EXPECT_LT(none, one);
  EXPECT_LT(one, two);
  EXPECT_LT(two, longer);
  EXPECT_LT(two, (RuleSet{{{x_low, yes}, {c_is_b, no}}, no}));
  EXPECT_LT(two, (RuleSet{{{x_low, no}, {m_high, no}}, no}));
  EXPECT_LT(two, (RuleSet{two.rules, yes}));
  EXPECT_EQ(two <=> two, std::strong_ordering::equal);
}

TEST(RuleSet, CanonicalFormByHand) {
  const auto form = [](const RuleSet& list) { return canonical(list, table); };
  const Expression sorted =
      Expression::conjunction(std::vector{Comparison{0, 0, 1, false}, Comparison{1, 1, 1, false}});
  EXPECT_EQ(form({{{both_ways, yes}}, no}), (RuleSet{{{sorted, yes}}, no}));
  // The second of equal antecedents decides nothing, whatever it says.
  EXPECT_EQ(form({{{x_low, yes}, {c_is_b, no}, {x_low, no}, {m_high, yes}}, no}),
            (RuleSet{{{x_low, yes}, {c_is_b, no}, {m_high, yes}}, no}));
  EXPECT_EQ(form({{{both_ways, yes}, {c_is_b, no}, {sorted, no}, {x_low, yes}}, no}),
            (RuleSet{{{sorted, yes}, {c_is_b, no}, {x_low, yes}}, no}));
  // Rules that say what the default says stay: they shield their rows, or have other probabilities.
  EXPECT_EQ(form({{{c_is_b, no}, {x_low, yes}, {m_high, no}, {c_is_b, yes}}, no}),
            (RuleSet{{{c_is_b, no}, {x_low, yes}, {m_high, no}}, no}));
  // Nothing gets past a rule without an antecedent.
  EXPECT_EQ(form({{{c_is_b, no}, {{}, yes}, {x_low, no}}, no}), (RuleSet{{{c_is_b, no}}, yes}));
  EXPECT_EQ(form({{{c_is_b, yes}, {{}, yes}}, no}), (RuleSet{{{c_is_b, yes}}, yes}));
}

TEST(RuleSet, CanonicalFormDecidesEveryRowAlikeAndIsAFixedPoint) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    constexpr std::uint64_t rows = 200;
    const RandomTable random = random_table(seed, rows, 4, true);
    const auto classes = static_cast<std::uint32_t>(seed % 4);
    const RuleSet before = random_list(seed, random.attributes, classes);
    const RuleSet after = canonical(before, random.attributes);
    for (std::uint64_t r = 0; r < rows; ++r) {
      std::vector<std::uint32_t> row;
      for (const auto& column : random.columns) row.push_back(column[r]);
      RC_ASSERT(decide(before, row) == decide(after, row));
    }
    RC_ASSERT(canonical(after, random.attributes) == after);
    RC_ASSERT(after.rules.size() <= before.rules.size());
  }));
}

TEST(RuleSet, EncodedBytesDecodeToTheSameList) {
  EXPECT_EQ(decoded({{}, yes}), (RuleSet{{}, yes}));
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const RandomTable random = random_table(seed, 10, 4, true);
    const auto classes = static_cast<std::uint32_t>(seed % 4);
    const RuleSet list =
        canonical(random_list(seed, random.attributes, classes), random.attributes);
    ByteWriter out;
    encode(out, list);
    ByteReader in(out.bytes());
    RC_ASSERT(decode_rule_set(in, random.attributes, classes) == list);
    RC_ASSERT(in.left() == 0U);
  }));
}

TEST(RuleSet, DecodingRefusesWhatIsWrong) {
  const RuleSet good{{{c_is_b, no}, {x_low, yes}}, no};
  EXPECT_EQ(decoded(good), good);
  const auto with = [&](const ClassRule& first) {
    return RuleSet{{first, good.rules[1]}, good.default_class};
  };
  EXPECT_THROW(decoded(with({c_is_b, 2})), BadBytes);  // no such class
  EXPECT_THROW(decoded({good.rules, 2}), BadBytes);
  EXPECT_THROW(decoded(with({Expression::of({9, 0, 0, false}), no})), BadBytes);
  EXPECT_THROW(decoded(with({Expression::of({0, 0, 5, false}), no})), BadBytes);
  EXPECT_THROW(decoded(with({Expression::of({class_attribute, 0, 0, false}), no})), BadBytes);
  EXPECT_THROW(decoded(with({both_ways, no})), BadBytes);  // not canonical
  EXPECT_THROW(decoded(with({x_low, no})), BadBytes);
}

/// c1 OR (c2 AND (c3 OR ...)), as deep as so many comparisons can be nested.
Expression nested(std::size_t size) {
  Ops program;
  std::vector<Comparison> comparisons;
  for (std::size_t i = 0; i < size; ++i) {
    const auto attribute = static_cast<std::uint32_t>(i % 2);
    comparisons.push_back({attribute, attribute, attribute, false});
    program.push_back(Op::comparison);
  }
  for (std::size_t i = 1; i < size; ++i)
    program.push_back(i % 2 == 0 ? Op::conjunction : Op::disjunction);
  return {program, comparisons};
}

TEST(RuleSet, DecodingRefusesWhatIsTooLarge) {
  const RuleSet largest{{{canonical(nested(most_antecedent_comparisons), table), yes}}, no};
  EXPECT_EQ(largest.comparisons(), most_antecedent_comparisons);
  EXPECT_EQ(decoded(largest), largest);
  const RuleSet larger{{{canonical(nested(most_antecedent_comparisons + 1), table), yes}}, no};
  EXPECT_THROW(decoded(larger), BadBytes);

  ByteWriter out;
  out.put(std::uint64_t{most_class_rules + 1});
  const std::vector<char> enough(40 * most_class_rules);
  out.put_all(std::span<const char>(enough));
  ByteReader in(out.bytes());
  EXPECT_THROW(decode_rule_set(in, table, class_attribute), BadBytes);
}

TEST(RuleSet, DamagedBytesAreRefusedOrGiveAnotherValidList) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RuleSet list = canonical(random_list(seed, table, class_attribute), table);
    ByteWriter out;
    encode(out, list);
    for (std::size_t i = 0; i < out.bytes().size(); ++i) {
      Bytes damaged = out.bytes();
      damaged[i] ^= std::byte{1};
      ByteReader in(damaged);
      try {
        const RuleSet other = decode_rule_set(in, table, class_attribute);
        ASSERT_EQ(canonical(other, table), other);
        ASSERT_FALSE(names(other, class_attribute));
      } catch (const BadBytes&) {
      }
      ByteReader cut(std::span(out.bytes()).first(i));
      EXPECT_THROW(decode_rule_set(cut, table, class_attribute), BadBytes);
    }
  }
}

}  // namespace
}  // namespace atl::test
