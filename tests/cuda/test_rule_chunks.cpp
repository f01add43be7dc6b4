#include <gtest/gtest.h>

#include "cuda/host/published_format.hpp"
#include "cuda/host/rule_chunks.hpp"
#include "tests/cuda/reference_counts.hpp"
#include "tests/eval/backend.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

using cuda::ChunkLimits;
using cuda::ChunkSide;
using cuda::RuleChunk;
using cuda::RuleChunks;
using cuda::Token;

bool holds(Token relation, std::uint32_t code, std::uint32_t low, std::uint32_t high) {
  switch (relation) {
    case Token::at_most:
      return code <= high;
    case Token::above:
      return code != missing_code && code > high;
    case Token::equal:
      return code == high;
    case Token::unequal:
      return code != missing_code && code != high;
    case Token::inside:
      return low <= code && code <= high;
    case Token::outside:
      return code != missing_code && (code < low || code > high);
    default:
      throw std::logic_error("not a relation");
  }
}

/// What the coverage kernel does, on one row.
struct Interpreter {
  const std::vector<std::vector<std::uint32_t>>& columns;
  std::size_t row;
  std::vector<int> conditions;  ///< of the side: 0 or 1, 2 where none was written
  std::size_t levels = 0;       ///< most on the stack

  bool covers(std::span<const std::uint32_t> words, std::uint32_t begin, std::uint32_t end,
              std::uint32_t first_condition) {
    std::vector<std::uint32_t> stack;
    const auto pop = [&] {
      const std::uint32_t top = stack.at(stack.size() - 1);
      stack.pop_back();
      return top;
    };
    for (std::uint32_t p = begin; p < end; ++p) {
      const auto kind = static_cast<Token>(words[p] & 15);
      const std::uint32_t operand = words[p] >> cuda::token_bits;
      if (kind == Token::attribute) {
        stack.push_back(columns.at(operand).at(row));
      } else if (kind == Token::value) {
        stack.push_back(words[++p]);
      } else if (kind == Token::negation) {
        stack.push_back(pop() ^ 1);
      } else if (kind == Token::conjunction || kind == Token::disjunction) {
        const std::uint32_t right = pop(), left = pop();
        stack.push_back(kind == Token::conjunction ? left & right : left | right);
      } else {
        const std::uint32_t high = pop();
        const bool two = kind == Token::inside || kind == Token::outside;
        const std::uint32_t low = two ? pop() : 0;
        stack.push_back(holds(kind, pop(), low, high) ? 1 : 0);
        int& condition = conditions.at(first_condition + operand);
        EXPECT_EQ(condition, 2);
        condition = static_cast<int>(stack.back());
      }
      levels = std::max(levels, stack.size());
    }
    EXPECT_EQ(stack.size(), 1U);
    return stack.at(0) != 0;
  }
};

/// Adds what one row says of each rule's conditions.
/// @param words  of a side; conditions  [conditions of the side] 0 or 1
void add_supports(std::span<const std::uint32_t> words, std::uint32_t rules,
                  const std::vector<int>& conditions,
                  std::vector<std::vector<std::uint64_t>>& supports) {
  for (std::uint32_t r = 0; r < rules; ++r) {
    const std::size_t begin = words[rules + 1 + r];
    const std::size_t end = r + 1 < rules ? words[rules + 2 + r] : conditions.size();
    supports[r].resize(end - begin);
    for (std::size_t c = begin; c < end; ++c) {
      EXPECT_NE(conditions[c], 2);
      supports[r][c - begin] += static_cast<std::uint64_t>(conditions[c]);
    }
  }
}

/// Counts the rules from what is uploaded.
std::vector<RuleCounts> interpreted(const RuleChunks& chunks, const RandomTable& table,
                                    std::size_t rows) {
  std::vector<RuleCounts> counts;
  for (const RuleChunk& chunk : chunks.chunks()) {
    EXPECT_EQ(chunk.first_rule, counts.size());
    const std::size_t first = counts.size();
    counts.resize(first + chunk.rules);
    std::array<std::vector<std::vector<std::uint64_t>>, 2> supports;
    for (auto& side : supports) side.resize(chunk.rules);
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<std::array<bool, 2>> covered(chunk.rules);
      for (std::size_t s = 0; s < 2; ++s) {
        const ChunkSide& side = chunk.sides[s];
        const auto words = chunks.words().subspan(side.first_word, side.words);
        Interpreter interpreter{table.columns, row, std::vector<int>(side.conditions, 2)};
        for (std::uint32_t r = 0; r < chunk.rules; ++r) {
          covered[r][s] =
              interpreter.covers(words, words[r], words[r + 1], words[chunk.rules + 1 + r]);
        }
        EXPECT_LE(interpreter.levels, chunk.levels);
        EXPECT_EQ(words[chunk.rules], side.words);
        add_supports(words, chunk.rules, interpreter.conditions, supports[s]);
      }
      for (std::uint32_t r = 0; r < chunk.rules; ++r) {
        RuleCounts& to = counts[first + r];
        ++to.n;
        if (covered[r][0]) ++to.antecedent;
        if (covered[r][1]) ++to.consequent;
        if (covered[r][0] && covered[r][1]) ++to.both;
      }
    }
    for (std::uint32_t r = 0; r < chunk.rules; ++r) {
      auto& all = counts[first + r].comparison_supports;
      all = supports[0][r];
      all.append(supports[1][r]);
    }
  }
  return counts;
}

constexpr Comparison some{0, 1, 1, false};

/// c AND (c AND (c AND ...)), whose depth is its length.
Expression nested(std::uint32_t comparisons) {
  std::vector<Op> program(comparisons, Op::comparison);
  program.insert(program.end(), comparisons - 1, Op::conjunction);
  return Expression(program, std::vector<Comparison>(comparisons, some));
}

TEST(RuleChunks, AreInterpretedAsTheReferenceCounts) {
  for (const bool missing : {false, true}) {
    const RandomTable table = random_table(11, 40, 8, missing);
    const Dataset data = make_dataset(table.attributes, table.columns);
    auto rules = random_rules(5, 300, table.attributes, 14);
    rules.push_back({Expression(), Expression::of(some)});
    // All kinds of comparison, also with codes that no row has.
    const std::uint32_t top = table.attributes[0].distinct() - 1;
    for (const std::uint32_t low : {0U, 1U, top, top + 1, 0xFFFFFFFEU}) {
      for (const std::uint32_t high : {low, top, top + 1, 0xFFFFFFFEU, 0xFFFFFFFFU}) {
        for (const bool negated : {false, true}) {
          if (low <= high)
            rules.push_back({Expression::of({0, low, high, negated}), Expression::of(some)});
        }
      }
    }
    RuleChunks chunks;
    for (const ChunkLimits& limits :
         {ChunkLimits{}, ChunkLimits{cuda::constant_words / 2, 900}, ChunkLimits{400, 100}}) {
      chunks.build(rules, data.attributes(), limits);
      EXPECT_EQ(interpreted(chunks, table, 40), reference_counts(data, rules));
    }
  }
}

TEST(RuleChunks, TakeAsManyRulesAsFit) {
  const RandomTable table = random_table(3, 10, 5, false);
  const auto rules = random_rules(5, 500, table.attributes, 10);
  for (const ChunkLimits& limits : {ChunkLimits{1000}, ChunkLimits{16384, 30}}) {
    RuleChunks chunks;
    chunks.build(rules, table.attributes, limits);
    std::size_t next = 0, words = 0, conditions = 0;
    for (const RuleChunk& chunk : chunks.chunks()) {
      EXPECT_EQ(chunk.first_rule, next);
      next += chunk.rules;
      EXPECT_LE(chunk.words(), limits.words);
      EXPECT_LE(chunk.conditions() + 2 * chunk.rules, limits.results);
      if (next < rules.size()) {
        const Rule& more = rules[next];
        const std::size_t symbols =
            more.antecedent.program().size() + more.consequent.program().size();
        const std::size_t most = 4 + symbols + 5 * more.comparisons();  // if all are intervals
        EXPECT_TRUE(chunk.words() + most > limits.words ||
                    chunk.conditions() + 2 * chunk.rules + more.comparisons() + 2 > limits.results);
      }
      for (const ChunkSide& side : chunk.sides) {
        EXPECT_EQ(side.first_word, words);
        EXPECT_EQ(side.first_condition, conditions);
        words += side.words;
        conditions += side.conditions;
      }
    }
    EXPECT_EQ(next, rules.size());
    EXPECT_EQ(words, chunks.words().size());
    EXPECT_EQ(conditions, chunks.conditions());
  }
}

// 58 symbols, of which values take two words, and the two words of an expression's place.
TEST(RuleChunks, HoldTwoHundredRulesOfFifteenComparisons) {
  const RandomTable table = random_table(3, 10, 2, false);
  const std::vector<Comparison> eight(8, Comparison{0, 1, 1, false});
  const std::vector<Comparison> seven(7, Comparison{1, 0, 0, true});
  const std::vector<Rule> rules(200,
                                {Expression::conjunction(eight), Expression::conjunction(seven)});
  RuleChunks chunks;
  chunks.build(rules, table.attributes, {});
  ASSERT_EQ(chunks.chunks().size(), 1U);
  EXPECT_EQ(chunks.words().size(), 200U * (58 + 15 + 4) + 2);
}

TEST(RuleChunks, KeepTheStackLow) {
  const RandomTable table = random_table(3, 10, 2, false);
  RuleChunks chunks;
  chunks.build(std::vector<Rule>{{nested(1000), Expression::of(some)}}, table.attributes, {});
  EXPECT_EQ(chunks.chunks()[0].levels, 3U);

  Expression balanced = Expression::of(some);
  for (int doubling = 0; doubling < 10; ++doubling) balanced = both(balanced, balanced);
  chunks.build(std::vector<Rule>{{balanced, Expression::of(some)}}, table.attributes, {});
  EXPECT_EQ(chunks.chunks()[0].levels, 12U);
}

TEST(RuleChunks, ResultsOfOneRuleMayExceedTheLimit) {
  const RandomTable table = random_table(3, 10, 2, false);
  RuleChunks chunks;
  chunks.build(std::vector<Rule>(3, {nested(5), Expression::of(some)}), table.attributes,
               {cuda::constant_words, 0});
  ASSERT_EQ(chunks.chunks().size(), 3U);
  EXPECT_EQ(chunks.chunks()[1].rules, 1U);
  EXPECT_EQ(chunks.chunks()[1].conditions(), 6U);
}

TEST(RuleChunks, RefuseARuleThatDoesNotFitAndUnknownAttributes) {
  const RandomTable table = random_table(3, 10, 2, false);
  const Rule small{Expression::of(some), Expression::of(some)};
  RuleChunks chunks;
  try {
    chunks.build(std::vector<Rule>{small, {nested(4000), Expression::of(some)}}, table.attributes,
                 {});
    FAIL() << "a rule of 4001 comparisons fitted";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "the published pipeline keeps a rule in 65536 bytes of constant memory; rule 1, "
                 "of 4001 comparisons, takes more");
  }
  try {
    chunks.build(std::vector<Rule>{small, {Expression::of(some), Expression::of({2, 0, 0, false})}},
                 table.attributes, {});
    FAIL() << "attribute 2 was accepted";
  } catch (const UnknownAttribute& error) {
    EXPECT_EQ(error.rule, 1U);
    EXPECT_EQ(error.attribute, 2U);
  }
  chunks.build(std::vector<Rule>{small}, table.attributes, {});  // as if nothing had been
  EXPECT_EQ(chunks.chunks().size(), 1U);
  EXPECT_EQ(chunks.words().size(), 2U * (3 + 4));
  chunks.build({}, table.attributes, {});
  EXPECT_TRUE(chunks.chunks().empty());
}

}  // namespace
}  // namespace atl::test
