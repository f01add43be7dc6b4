#include <cstdint>
#include <limits>
#include <unordered_set>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/rules/rule.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

Rule random_rule_of(std::uint64_t seed, const std::vector<Attribute>& attributes) {
  RandomStream stream({seed, 1, 0, 0, Purpose::test});
  return random_rule(stream, attributes, 10);
}

TEST(Rule, CountsSymbolsAsThePapersDo) {
  const std::vector<Comparison> seven(7, Comparison{0, 0, 0, false});
  const std::vector<Comparison> eight(8, Comparison{1, 0, 0, false});
  const Rule rule{Expression::conjunction(seven), Expression::conjunction(eight)};
  EXPECT_EQ(rule.comparisons(), 15U);
  EXPECT_EQ(symbols(rule), 58U);
  const Rule inverted{Expression({Op::comparison, Op::negation}, {Comparison{}}),
                      Expression::of(Comparison{1, 0, 0, false})};
  EXPECT_EQ(symbols(inverted), 7U);
}

TEST(Rule, SidesAreDisjointOnlyWithoutACommonAttribute) {
  const auto a = Expression::of({3, 0, 0, false});
  const auto b =
      Expression::conjunction(std::vector{Comparison{4, 0, 0, false}, Comparison{3, 1, 1, false}});
  EXPECT_FALSE(sides_disjoint({a, b}));
  EXPECT_FALSE(sides_disjoint({b, a}));
  EXPECT_TRUE(sides_disjoint({a, Expression::of({2, 0, 0, false})}));
}

TEST(Rule, OrderIsBySizeThenAntecedentThenConsequent) {
  const auto one = [](std::uint32_t attribute) { return Expression::of({attribute, 0, 0, false}); };
  const auto two =
      Expression::conjunction(std::vector{Comparison{0, 0, 0, false}, Comparison{1, 0, 0, false}});
  EXPECT_LT((Rule{one(5), one(6)}), (Rule{two, one(2)}));
  EXPECT_LT((Rule{one(1), one(6)}), (Rule{one(2), one(0)}));
  EXPECT_LT((Rule{one(1), one(2)}), (Rule{one(1), one(3)}));
  EXPECT_EQ((Rule{one(1), one(2)} <=> Rule{one(1), one(2)}), std::strong_ordering::equal);
}

TEST(Rule, HashesArePinned) {
  const Rule rule{Expression::of({1, 2, 3, false}), Expression::of({4, 5, 6, true})};
  EXPECT_EQ(hash(rule), 18399944392669992060U);
}

TEST(Rule, EqualRulesHashAlikeAndOthersDoNot) {
  const RandomTable table = random_table(3, 10, 8, true);
  std::vector<Rule> rules;
  std::unordered_set<std::uint64_t> hashes;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Rule rule = canonical(random_rule_of(seed, table.attributes), table.attributes);
    EXPECT_EQ(hash(rule), hash(Rule(rule)));
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(rule);
    hashes.insert(hash(rule));
  }
  EXPECT_EQ(hashes.size(), rules.size());
  EXPECT_GT(rules.size(), 1000U);
}

TEST(Rule, EncodedBytesDecodeToTheSameRule) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const RandomTable table = random_table(seed, 10, 6, true);
    const Rule rule = random_rule_of(seed, table.attributes);
    ByteWriter out;
    encode(out, rule);
    ByteReader in(out.bytes());
    RC_ASSERT(decode_rule(in, table.attributes) == rule);
    RC_ASSERT(in.left() == 0U);
  }));
}

TEST(Rule, DamagedBytesAreRefusedOrGiveAnotherValidRule) {
  const RandomTable table = random_table(9, 10, 6, true);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ByteWriter out;
    encode(out, random_rule_of(seed, table.attributes));
    for (std::size_t i = 0; i < out.bytes().size(); ++i) {
      Bytes damaged = out.bytes();
      damaged[i] ^= std::byte{1};
      ByteReader in(damaged);
      try {
        const Rule rule = decode_rule(in, table.attributes);
        for (const auto& side : {rule.antecedent, rule.consequent})
          for (const Comparison& c : side.comparisons()) {
            ASSERT_LT(c.attribute, table.attributes.size());
            if (c == is_missing(c.attribute)) continue;
            ASSERT_LE(c.low, c.high);
            ASSERT_LT(c.high, table.attributes[c.attribute].distinct());
          }
      } catch (const BadBytes&) {
      }
      ByteReader cut(std::span(out.bytes()).first(i));
      EXPECT_THROW(decode_rule(cut, table.attributes), BadBytes);
    }
  }
}

TEST(Rule, DecodingNamesWhatIsWrong) {
  const std::vector<Attribute> table = {numeric("x", {1, 2, 3}), nominal("c", {"a", "b"})};
  const auto decode = [&](Comparison comparison) {
    ByteWriter out;
    encode(out, {Expression::of(comparison), Expression::of({1, 0, 0, false})});
    ByteReader in(out.bytes());
    return decode_rule(in, table);
  };
  EXPECT_NO_THROW(decode({0, 0, 2, false}));
  EXPECT_THROW(decode({2, 0, 0, false}), BadBytes);
  EXPECT_THROW(decode({0, 0, 3, false}), BadBytes);
  EXPECT_THROW(decode({0, 2, 1, false}), BadBytes);
  ByteWriter empty;
  encode(empty, Rule{});
  ByteReader in(empty.bytes());
  EXPECT_THROW(decode_rule(in, table), BadBytes);
}

}  // namespace
}  // namespace atl::test
