#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/core/error.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

const std::vector<Attribute> table = {
    numeric("age", {17, 25.5, 30, 41, 90}),
    binned("gain", {0, 1, 100, 5000}, {0, 99, 4386, 5000}),
    nominal("income", {"<=50K", ">50K"}),
    nominal("education", {"Bachelors", "Doctorate", "Masters", "Some college", "in"}),
    ordinal("size", {"small", "medium", "large"}),
    with_missing(nominal("a b", {"\"q\"", "=>", "x\\y", "x\ny"})),
    nominal("one", {"only"}),
    numeric("two", {-1, 1e300})};

constexpr std::uint32_t age = 0, gain = 1, income = 2, education = 3, size = 4, odd = 5, one = 6;

std::string text(Comparison comparison) {
  return to_text(comparison, table);
}
Comparison parsed(const char* text) {
  return parse_comparison(text, table, "test");
}

TEST(RuleText, PrintsNumbersByValue) {
  EXPECT_EQ(text({age, 0, 2, false}), "age <= 30");
  EXPECT_EQ(text({age, 2, 4, false}), "age > 28") << "25.5 has more digits";
  EXPECT_EQ(text({age, 1, 3, false}), "age in [20, 70]");
  EXPECT_EQ(text({age, 1, 3, true}), "age not in [20, 70]");
  EXPECT_EQ(text({age, 3, 3, false}), "age = 41");
  EXPECT_EQ(text({age, 3, 3, true}), "age != 41");
  EXPECT_EQ(text({age, 0, 0, false}), "age = 17");
  EXPECT_EQ(text({age, 0, 4, false}), "age in [17, 90]");
  EXPECT_EQ(text({age, 0, 4, true}), "age not in [17, 90]");
  EXPECT_EQ(text({7, 1, 1, false}), "two = 1e+300");
  EXPECT_EQ(to_text({age, 1, 3, false}, table, WrittenBounds::at_values), "age in [25.5, 41]");
}

TEST(RuleText, NobodyReadsSeventeenDigits) {
  const std::vector<Attribute> data = {
      numeric("x", {0.1234567890123456, 1.9529079334965758, 1.9533, 3.3333333333333335})};
  const auto written = [&](const Comparison& c) {
    const std::string text = to_text(c, data);
    EXPECT_EQ(parse_comparison(text, data, "test"), c) << text;
    return text;
  };
  EXPECT_EQ(written({0, 0, 1, false}), "x <= 1.953");
  EXPECT_EQ(written({0, 2, 3, false}), "x > 1.953");
  EXPECT_EQ(written({0, 1, 2, false}), "x in [1, 3]");
  EXPECT_EQ(written({0, 1, 1, false}), "x in [1, 1.953]") << "a lone value, too";
  EXPECT_EQ(written({0, 1, 1, true}), "x not in [1, 1.953]");
  EXPECT_EQ(written({0, 2, 2, false}), "x = 1.9533");
  EXPECT_EQ(written({0, 0, 0, false}), "x <= 1");
  EXPECT_EQ(written({0, 0, 3, false}), "x in [0.1, 3.35]");
}

TEST(RuleText, SaysWhetherAValueIsMissing) {
  EXPECT_EQ(text(is_missing(odd)), "\"a b\" is missing");
  EXPECT_EQ(text(is_known(odd, 4)), "\"a b\" is known");
  EXPECT_EQ(text(is_missing(age)), "age is missing");
  EXPECT_EQ(text(is_known(one, 1)), "one = only");  // no value is missing
  EXPECT_EQ(parsed("\"a b\" is missing"), is_missing(odd));
  EXPECT_EQ(parsed("\"a b\" is known"), is_known(odd, 4));
  EXPECT_EQ(parsed("age is known"), (Comparison{age, 0, 4, false}));
  const auto reread = [](const char* text) {
    return to_text(parse_expression(text, table, "test"), table);
  };
  EXPECT_EQ(reread("NOT \"a b\" is missing"), "\"a b\" is known");
  EXPECT_EQ(reread("NOT (\"a b\" is known OR age > 41)"), "age <= 70 AND \"a b\" is missing");
  EXPECT_EQ(reread("\"a b\" is known AND \"a b\" = \"=>\""), "\"a b\" = \"=>\"");
  EXPECT_EQ(reread("NOT age is missing"), "age in [17, 90]");
  EXPECT_THROW(parsed("age is 5"), BadCell);
}

class DatesInRules : public testing::Test {
 protected:
  Comparison parsed(const std::string& text) const {
    return parse_comparison(text, dates_, "test");
  }
  std::string failure(const std::string& text) const {
    try {
      parsed(text);
    } catch (const BadCell& error) {
      return error.expected;
    }
    return "";
  }
  std::vector<Attribute> dates_ = {dated("day", AttributeKind::date, {-365, 0, 19782, 19783}),
                                   dated("time", AttributeKind::date_time, {-0.25, 0, 1.5, 19783}),
                                   dated("utc", AttributeKind::date_time_utc, {0, 0.5, 1, 2})};
};

TEST_F(DatesInRules, ArePrintedAndReadBack) {
  const std::pair<const char*, Comparison> cases[] = {
      {"day <= 1970-01-01", {0, 0, 1, false}},
      {"day > 1970-01-01", {0, 2, 3, false}},
      {"day = 2024-03-01", {0, 3, 3, false}},
      {"day != 2024-02-29", {0, 2, 2, true}},
      {"day in [1970-01-01, 2024-02-29]", {0, 1, 2, false}},
      {"day not in [1970-01-01, 2024-02-29]", {0, 1, 2, true}},
      {"time <= 1970-01-01T00:00:00", {1, 0, 1, false}},
      {"time = 1969-12-31T18:00:00", {1, 0, 0, false}},
      {"utc > 1970-01-01T12:00:00Z", {2, 2, 3, false}}};
  for (const auto& [text, comparison] : cases) {
    EXPECT_EQ(to_text(comparison, dates_), text);
    EXPECT_EQ(parsed(text), comparison);
  }
}

TEST_F(DatesInRules, AreReadInEveryForm) {
  EXPECT_EQ(parsed("day < 2000-02-29"), (Comparison{0, 0, 1, false}));
  EXPECT_EQ(parsed("time>=1970-01-02"), (Comparison{1, 2, 3, false})) << "its first moment";
  EXPECT_EQ(parsed("time > \"1970-01-02 12:00\""), (Comparison{1, 3, 3, false}));
  EXPECT_EQ(parsed("utc = 1970-01-01T14:00+02:00"), (Comparison{2, 1, 1, false}));
  EXPECT_EQ(parsed("utc <= 1970-01-01"), (Comparison{2, 0, 0, false}));
}

TEST_F(DatesInRules, SayWhatIsWrong) {
  EXPECT_EQ(failure("day > 3"), "a date such as 2024-03-01");
  EXPECT_EQ(failure("day > 2024-02-30"), "a date such as 2024-03-01");
  EXPECT_EQ(failure("day > 2024-03-01T12:00"), "a date such as 2024-03-01");
  EXPECT_EQ(failure("time > 2024-03-01T12:00Z"), "a time without zone such as 2024-03-01T12:30:15");
  EXPECT_EQ(failure("utc > 2024-03-01T12:00"), "a time with its zone such as 2024-03-01T12:30:15Z");
  EXPECT_EQ(failure("time > 2016-12-31T23:59:60"), "no leap second");
  dates_[0].high[1] = dates_[0].low[2] - 86'400e6;
  EXPECT_EQ(failure("day > 2000-01-01"),
            "a date that does not divide the bin [1970-01-01, 2024-02-28]");
}

TEST(RuleText, PrintsBinsByTheirEnds) {
  EXPECT_EQ(text({gain, 0, 1, false}), "gain <= 99");
  EXPECT_EQ(text({gain, 2, 3, false}), "gain > 99");
  EXPECT_EQ(text({gain, 1, 1, false}), "gain in [1, 99]");
  EXPECT_EQ(text({gain, 1, 2, false}), "gain in [1, 4700]");
  EXPECT_EQ(text({gain, 1, 1, true}), "gain not in [1, 99]");
  EXPECT_EQ(text({gain, 0, 0, false}), "gain = 0");
}

TEST(RuleText, PrintsLabels) {
  EXPECT_EQ(text({income, 1, 1, false}), "income = >50K");
  EXPECT_EQ(text({education, 2, 2, true}), "education != Masters");
  EXPECT_EQ(text({education, 1, 4, false}), "education != Bachelors");
  EXPECT_EQ(text({education, 0, 3, false}), "education != \"in\"");
  EXPECT_EQ(text({education, 3, 3, false}), "education = \"Some college\"");
  EXPECT_EQ(text({education, 1, 3, false}), "education in [Doctorate, \"Some college\"]");
  EXPECT_EQ(text({size, 0, 1, false}), "size <= medium");
  EXPECT_EQ(text({size, 1, 2, false}), "size > small");
  EXPECT_EQ(text({size, 1, 1, false}), "size = medium");
  EXPECT_EQ(text({odd, 0, 0, false}), "\"a b\" = \"\\\"q\\\"\"");
  EXPECT_EQ(text({odd, 1, 1, false}), "\"a b\" = \"=>\"");
  EXPECT_EQ(text({odd, 2, 2, false}), "\"a b\" = x\\y");
  EXPECT_EQ(text({odd, 3, 3, false}), "\"a b\" = \"x\\ny\"");
  EXPECT_EQ(text({one, 0, 0, false}), "one = only");
}

TEST(RuleText, ReadsEveryRelation) {
  EXPECT_EQ(parsed("age < 30"), (Comparison{age, 0, 1, false}));
  EXPECT_EQ(parsed("age<=30"), (Comparison{age, 0, 2, false}));
  EXPECT_EQ(parsed("age > 30"), (Comparison{age, 3, 4, false}));
  EXPECT_EQ(parsed("age>=30"), (Comparison{age, 2, 4, false}));
  EXPECT_EQ(parsed("age = 30"), (Comparison{age, 2, 2, false}));
  EXPECT_EQ(parsed("age != 30"), (Comparison{age, 2, 2, true}));
  EXPECT_EQ(parsed("age != 17"), (Comparison{age, 1, 4, false}));
  EXPECT_EQ(parsed("age in[18,45]"), (Comparison{age, 1, 3, false}));
  EXPECT_EQ(parsed("age not in [ 18 , 45 ]"), (Comparison{age, 1, 3, true}));
  EXPECT_EQ(parsed("income = >50K"), (Comparison{income, 1, 1, false}));
  EXPECT_EQ(parsed("income=<=50K"), (Comparison{income, 0, 0, false}));
  EXPECT_EQ(parsed("size >= \"medium\""), (Comparison{size, 1, 2, false}));
}

TEST(RuleText, MapsNumbersThatDoNotOccur) {
  EXPECT_EQ(parsed("age > 35"), (Comparison{age, 3, 4, false}));
  EXPECT_EQ(parsed("age <= 1000"), (Comparison{age, 0, 4, false}));
  EXPECT_EQ(parsed("age != 35"), (Comparison{age, 0, 4, false}));
  EXPECT_EQ(parsed("age not in [31, 40]"), (Comparison{age, 0, 4, false}));
  EXPECT_EQ(parsed("gain > 4800"), (Comparison{gain, 3, 3, false}));
  EXPECT_EQ(parsed("gain >= 100"), (Comparison{gain, 2, 3, false}));
  EXPECT_EQ(parsed("gain < 1"), (Comparison{gain, 0, 0, false}));
}

struct Wrong {
  const char* text;
  std::uint64_t line, column;
  const char* found;
  const char* expected;
};

TEST(RuleText, SaysWhereAndWhatIsWrong) {
  const Wrong cases[] = {
      {"", 1, 1, "end of text", "the name of an attribute"},
      {"agee > 3 => income = >50K", 1, 1, "agee", "the name of an attribute"},
      {"age > 30 AND\n  \"aged\" = 3 => income = >50K", 2, 3, "\"aged\"",
       "the name of an attribute"},
      {"age ~ 30 => income = >50K", 1, 5, "~", "= != < <= > >= in, not in, is missing or is known"},
      {"age > x => income = >50K", 1, 7, "x", "a number"},
      {"age > 90 => income = >50K", 1, 5, ">", "a comparison that some value of 'age' can satisfy"},
      {"age = 35 => income = >50K", 1, 5, "=", "a comparison that some value of 'age' can satisfy"},
      {"age in [41, 30] => income = >50K", 1, 5, "in",
       "a comparison that some value of 'age' can satisfy"},
      {"gain > 50 => income = >50K", 1, 8, "50", "a number that does not divide the bin [1, 99]"},
      {"gain >= 99 => income = >50K", 1, 9, "99", "a number that does not divide the bin [1, 99]"},
      {"income = 50K => age > 30", 1, 10, "50K", "a value of 'income'"},
      {"income > <=50K => age > 30", 1, 8, ">", "= or !=, since 'income' is nominal"},
      {"age > 30 income = >50K", 1, 10, "income", "AND, OR or =>"},
      {"age > 30 => income = >50K x", 1, 27, "x", "AND, OR or the end"},
      {"(age > 30 => income = >50K", 1, 11, "=>", "AND, OR or ')'"},
      {"age > 30 =>", 1, 12, "end of text", "the name of an attribute"},
      {"age in (3, 4) => income = >50K", 1, 8, "(", "'['"},
      {"age in [30 41] => income = >50K", 1, 12, "41", "','"},
      {"age in [30, 41 => income = >50K", 1, 16, "=>", "']'"},
      {"age not 3 => income = >50K", 1, 9, "3", "in"},
      {"age > AND => income = >50K", 1, 7, "AND", "a value (a keyword needs double quotes)"},
      {"\"age > 3", 1, 1, "\"age > 3", "a closing double quote"},
      {"\"a\\x\" > 3", 1, 3, "\\x", "one of \\\" \\\\ \\n \\r \\t or \\uNNNN within quotes"},
      {"\"\\ud83d\" > 3", 1, 2, "\\ud83d", "four hexadecimal digits of a character after \\u"},
      {"\"\\u12\" > 3", 1, 2, "\\u12", "four hexadecimal digits of a character after \\u"},
  };
  for (const Wrong& wrong : cases) {
    try {
      parse_rule(wrong.text, table, "rules.txt");
      ADD_FAILURE() << wrong.text;
    } catch (const BadCell& error) {
      EXPECT_EQ(error.file, "rules.txt");
      EXPECT_EQ(error.line, wrong.line) << wrong.text;
      EXPECT_EQ(error.column, wrong.column) << wrong.text;
      EXPECT_EQ(error.found, wrong.found) << wrong.text;
      EXPECT_EQ(error.expected, wrong.expected) << wrong.text;
    }
  }
}

TEST(RuleText, EscapesWhatATerminalObeysOrThatDeceives) {
  const std::vector<Attribute> names = {
      nominal("\x1b[31m", {"a\x7f", "\xC2\x9B", "\xC3\xA9", "\xE2\x80\xAE x", "\xEF\xBB\xBF"})};
  const std::vector<std::string> values = {"\"a\\u007f\"", "\"\\u009b\"", "\xC3\xA9",
                                           "\"\\u202e x\"", "\"\\ufeff\""};
  for (std::uint32_t code = 0; code < values.size(); ++code) {
    const Comparison comparison{0, code, code, false};
    const std::string written = to_text(comparison, names);
    EXPECT_EQ(written, "\"\\u001b[31m\" = " + values[code]);
    EXPECT_EQ(parse_comparison(written, names, "test"), comparison);
  }
}

TEST(RuleText, LimitsNesting) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "age > 30" + std::string(depth, ')');
  };
  EXPECT_EQ(to_text(parse_expression(nested(200), table, "test"), table), "age > 30");
  EXPECT_THROW(parse_expression(nested(201), table, "test"), BadCell);
}

TEST(RuleText, ReadsARule) {
  const Rule rule = parse_rule("age > 30 AND education = Masters => income = >50K", table, "test");
  EXPECT_EQ(rule.antecedent,
            Expression::conjunction(
                std::vector{Comparison{age, 3, 4, false}, Comparison{education, 2, 2, false}}));
  EXPECT_EQ(rule.consequent, Expression::of({income, 1, 1, false}));
  EXPECT_EQ(to_text(rule, table), "age > 30 AND education = Masters => income = >50K");
}

TEST(RuleText, NotBindsBeforeAndBeforeOr) {
  const auto reads_as = [](const char* text, const char* canonical) {
    EXPECT_EQ(to_text(parse_expression(text, table, "test"), table), canonical);
  };
  reads_as("age = 17 OR age = 30 AND size = small", "age = 17 OR age = 30 AND size = small");
  reads_as("(age = 17 OR age = 30) AND size = small", "size = small AND (age = 17 OR age = 30)");
  reads_as("NOT age <= 30 AND size = small", "age > 30 AND size = small");
  reads_as("NOT (\"a b\" = x\\y)", "NOT (\"a b\" = x\\y)");
}

TEST(RuleText, EveryComparisonIsReadBackFromItsText) {
  for (std::uint32_t a = 0; a < table.size(); ++a)
    for (std::uint32_t low = 0; low < table[a].distinct(); ++low)
      for (std::uint32_t high = low; high < table[a].distinct(); ++high)
        for (const bool negated : {false, true}) {
          const Comparison comparison{a, low, high, negated};
          EXPECT_EQ(parse_comparison(text(comparison), table, "test"),
                    canonical(comparison, table[a].distinct()))
              << text(comparison);
        }
}

TEST(RuleText, EveryRuleIsReadBackFromItsText) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const RandomTable random = random_table(seed, 100, 6, true);
    RandomStream stream({seed, 2, 0, 0, Purpose::test});
    const Rule rule = random_rule(stream, random.attributes, 12);
    const Rule canonical_rule = canonical(rule, random.attributes);
    RC_ASSERT(parse_rule(to_text(rule, random.attributes), random.attributes, "test") ==
              canonical_rule);
    RC_ASSERT(parse_rule(to_text(canonical_rule, random.attributes), random.attributes, "test") ==
              canonical_rule);
  }));
}

// Rows on which a comparison, read for data that may not have its values, holds: by each code, and
// last on a row without a value.
std::string holds_on(const std::string& comparison, std::uint32_t attribute) {
  const Rule rule = parse_rule(comparison + " => one = only", table, "test", Unseen::never_holds);
  std::string rows;
  for (std::uint32_t code = 0; code <= table[attribute].distinct(); ++code) {
    std::vector<std::uint32_t> row(table.size(), 0);
    row[attribute] = code < table[attribute].distinct() ? code : missing_value;
    rows += holds(rule.antecedent, row) ? '1' : '0';
  }
  return rows;
}

TEST(RuleText, ValuesThatTheDataDoNotHaveHoldNowhereIfAsked) {
  EXPECT_EQ(holds_on("income = millions", income), "000");
  EXPECT_EQ(holds_on("income != millions", income), "110");
  EXPECT_EQ(holds_on("NOT income = millions", income), "111");
  EXPECT_EQ(holds_on("income = >50K", income), "010");
  EXPECT_EQ(holds_on("age > 1000", age), "000000");
  EXPECT_EQ(holds_on("age <= 1000", age), "111110");
  EXPECT_EQ(holds_on("age > 26", age), "001110");
  EXPECT_EQ(holds_on("age = 26", age), "000000");
  EXPECT_EQ(holds_on("age in [18, 41]", age), "011100");
  EXPECT_EQ(holds_on("age in [18, 20]", age), "000000");
  EXPECT_EQ(holds_on("age not in [18, 20]", age), "111110");
  EXPECT_EQ(holds_on("size <= medium", size), "1100");
  EXPECT_EQ(holds_on("size <= huge", size), "0000");
  EXPECT_EQ(holds_on("size in [small, huge]", size), "0000");
  EXPECT_THROW(parse_rule("income = millions => one = only", table, "test"), BadCell);
  EXPECT_THROW(parse_rule("nothing = 1 => one = only", table, "test", Unseen::never_holds),
               BadCell);
}

}  // namespace
}  // namespace atl::test
