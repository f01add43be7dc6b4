#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/core/error.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/rules/other_table.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

const std::vector<Attribute> table = {numeric("length", {1.4, 1.9, 3, 4.9, 5}),
                                      with_missing(binned("gain", {0, 1, 100}, {0, 99, 4386})),
                                      nominal("colour", {"blue", "green", "red"}),
                                      ordinal("size", {"small", "medium", "large"}),
                                      nominal("class", {"a b", "no", "yes"})};
constexpr std::uint32_t length = 0, gain = 1, colour = 2, size = 3;
constexpr std::uint32_t a_b = 0, no = 1, yes = 2;
const Attribute& classes = table[4];

std::string midway(const Comparison& comparison) {
  return to_text(comparison, table, WrittenBounds::midway);
}

RuleSet parsed(const std::string& text) {
  return parse_rule_set(text, table, classes, "test");
}

TEST(RuleSetText, BoundsAreMidwayBetweenNeighbours) {
  EXPECT_EQ(midway({length, 0, 1, false}), "length <= 2.5");
  EXPECT_EQ(midway({length, 2, 4, false}), "length > 2.5");
  EXPECT_EQ(midway({length, 2, 3, false}), "length in [2.5, 4.95]");
  EXPECT_EQ(midway({length, 2, 3, true}), "length not in [2.5, 4.95]");
  EXPECT_EQ(midway({length, 2, 2, false}), "length = 3");
  EXPECT_EQ(midway({length, 2, 2, true}), "length != 3");
  EXPECT_EQ(midway({length, 0, 0, false}), "length <= 1.6");
  EXPECT_EQ(midway({length, 4, 4, false}), "length > 4.95");
  EXPECT_EQ(midway({length, 0, 4, false}), "length in [1.4, 5]");
  EXPECT_EQ(midway({gain, 1, 1, false}), "gain in [1, 99]");
  EXPECT_EQ(midway({gain, 0, 1, false}), "gain <= 99");
  EXPECT_EQ(midway({size, 0, 1, false}), "size <= medium");
  EXPECT_EQ(midway({size, 0, 0, false}), "size = small");
  EXPECT_EQ(midway({colour, 0, 1, false}), "colour != red");
}

TEST(RuleSetText, BoundsAreValuesWhereNothingLiesMidway) {
  std::vector<Attribute> others = {numeric("x", {1, 1 + 2.3e-16, 2, 3.5}), numeric("flag", {0, 1}),
                                   numeric("mark", {1, 2, 3, 4}),
                                   dated("day", AttributeKind::date, {0, 2, 4})};
  others[2].as_labels = true;
  const auto text = [&](const Comparison& c) { return to_text(c, others, WrittenBounds::midway); };
  EXPECT_EQ(text({0, 0, 0, false}), "x <= 1");
  EXPECT_EQ(text({0, 1, 3, false}), "x > 1");
  EXPECT_EQ(text({0, 1, 2, false}), "x in [1.0000000000000002, 3]");
  EXPECT_EQ(text({1, 0, 0, false}), "flag = 0");
  EXPECT_EQ(text({1, 1, 1, false}), "flag = 1");
  EXPECT_EQ(text({2, 1, 3, false}), "mark != 1");
  EXPECT_EQ(text({2, 1, 2, false}), "mark in [2, 3]");
  EXPECT_EQ(text({3, 0, 1, false}), "day <= 1970-01-03");
  EXPECT_EQ(text({3, 0, 0, false}), "day = 1970-01-01");
}

TEST(RuleSetText, IsARuleALine) {
  const std::string text =
      "if length <= 2.5 then class = \"a b\"\n"
      "else if length in [2.5, 4.95] AND (NOT (gain <= 0) OR colour = red) then class = yes\n"
      "else if size != medium then class = \"a b\"\n"
      "else class = no\n";
  const RuleSet list = parsed(text);
  ASSERT_EQ(list.rules.size(), 3U);
  EXPECT_EQ(list.rules[0], (ClassRule{Expression::of({length, 0, 1, false}), a_b}));
  EXPECT_EQ(list.rules[1].label, yes);
  EXPECT_EQ(list.default_class, no);
  EXPECT_EQ(to_text(list, table, classes), text);
  EXPECT_EQ(to_text(RuleSet{{}, yes}, table, classes), "class = yes\n");
  EXPECT_EQ(parsed("class = yes"), (RuleSet{{}, yes}));
  EXPECT_EQ(parsed("if(colour = red)then class = yes else\tclass = no"),
            (RuleSet{{{Expression::of({colour, 2, 2, false}), yes}}, no}));
}

TEST(RuleSetText, IsReadIntoCanonicalForm) {
  EXPECT_EQ(parsed("if colour = red then class = yes\nelse if length > 4 AND length > 3 then class "
                   "= no\nelse if colour = red then class = no\nelse class = no"),
            (RuleSet{{{Expression::of({colour, 2, 2, false}), yes},
                      {parsed("if length > 4 then class = no else class = yes").rules[0]}},
                     no}));
}

TEST(RuleSetText, WordsOfListsCanBeNamesAndValues) {
  const std::vector<Attribute> inputs = {nominal("if", {"else", "if", "then"}),
                                         nominal("then", {"else", "if", "then"}),
                                         nominal("else", {"else", "if", "then"})};
  for (const char* const name : {"if", "then", "else", "AND", "class"}) {
    const Attribute own = nominal(name, inputs[0].labels);
    RuleSet list{{}, 1};
    EXPECT_EQ(parse_rule_set(to_text(list, inputs, own), inputs, own, "test"), list);
    for (std::uint32_t a = 0; a < inputs.size(); ++a) {
      if (inputs[a].name == name) continue;
      for (std::uint32_t code = 0; code < 3; ++code)
        list.rules.push_back({Expression::of({a, code, code, false}), 2 * (code % 2)});
    }
    EXPECT_EQ(parse_rule_set(to_text(list, inputs, own), inputs, own, "test"), list);
  }
}

TEST(RuleSetText, LabelsThatCouldBeTakenForTheTextAroundThem) {
  std::vector<std::string> hard = {
      "",   " ",   "\"", "'",   "(",    ",",  "-",  "1",   "1.0",  "=",  "=>",     "AND",   "NOT",
      "OR", "[1]", "\\", "a b", "else", "if", "in", "not", "then", "\t", "\u00a0", "\u2028"};
  std::sort(hard.begin(), hard.end());
  const std::vector<Attribute> inputs = {nominal("then", hard)};
  const Attribute own = nominal("if", hard);
  RuleSet list{{}, 0};
  for (std::uint32_t code = 0; code < hard.size(); ++code)
    list.rules.push_back({Expression::of({0, code, code, false}), code});
  const std::string text = to_text(list, inputs, own);
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), hard.size() + 1);
  EXPECT_EQ(parse_rule_set_for(text, inputs, inputs, own, "test"), list);
  for (const char* const word : {"if", "then", "else", "AND", "in"})
    EXPECT_NE(text.find(std::string("\"if\" = \"") + word + "\"\n"), std::string::npos) << word;
}

TEST(RuleSetText, SaysWhereItIsWrong) {
  struct Case {
    const char* text;
    std::uint64_t line, column;
    const char* expected;
  };
  const Case cases[] = {
      {"", 1, 1, "the name of an attribute"},
      {"if colour = red class = yes", 1, 17, "AND, OR or then"},
      {"if colour = red then class = yes\n", 2, 1, "else"},
      {"if colour = red then class = yes\nelse if", 2, 8, "the name of an attribute"},
      {"if colour = red then class = yes\nelse if size = tiny then class = no", 2, 16,
       "a value of 'size'"},
      {"if colour = red then class = maybe else class = no", 1, 30, "a value of 'class'"},
      {"if colour = red then class != no else class = no", 1, 22, "one value of 'class'"},
      {"if colour = red then class in [no, yes] else class = no", 1, 22, "one value of 'class'"},
      {"if colour = red then colour = red else class = no", 1, 22, "the name of an attribute"},
      {"if size = small OR class = no then class = no else class = no", 1, 4,
       "conditions without the class 'class'"},
      {"class = no\nelse class = yes", 2, 1, "the end after the default class"},
      {"if gain <= 50 then class = no else class = no", 1, 12,
       "a number that does not divide the bin [1, 99]"}};
  for (const Case& c : cases) {
    try {
      parsed(c.text);
      ADD_FAILURE() << c.text;
    } catch (const BadCell& error) {
      EXPECT_EQ(error.line, c.line) << c.text;
      EXPECT_EQ(error.column, c.column) << c.text;
      EXPECT_EQ(error.expected, c.expected) << c.text;
    }
  }
}

TEST(RuleSetText, RefusesWhatIsTooLong) {
  std::vector<double> values;
  std::string antecedent = "x = 0";
  for (std::size_t i = 0; i <= most_antecedent_comparisons; ++i)
    values.push_back(static_cast<double>(i));
  const std::vector<Attribute> inputs = {numeric("x", values)};
  for (std::size_t i = 1; i < most_antecedent_comparisons; ++i)
    antecedent += " OR x = " + std::to_string(i);
  const auto read = [&] {
    return parse_rule_set("if " + antecedent + " then class = no else class = yes", inputs, classes,
                          "test");
  };
  EXPECT_EQ(read().comparisons(), most_antecedent_comparisons);
  antecedent += " OR x = " + std::to_string(most_antecedent_comparisons);
  EXPECT_THROW(read(), BadCell);
}

TEST(RuleSetText, EveryListIsReadBackFromItsText) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const RandomTable random = random_table(seed, 50, 5, true);
    const auto c = static_cast<std::uint32_t>(seed % 5);
    RandomStream stream({seed, 3, 0, 0, Purpose::test});
    const RuleSet written = random_rule_set(stream, random.attributes, c, 8);
    const RuleSet list = canonical(written, random.attributes);
    for (const RuleSet& one : {written, list}) {
      const std::string text = to_text(one, random.attributes, random.attributes[c]);
      RC_ASSERT(parse_rule_set(text, random.attributes, random.attributes[c], "test") == list);
    }
  }));
}

TEST(RuleSetText, DecidesAlikeOnRowsOfAnotherTable) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const TwoTables tables = two_tables(seed, 90, 5);
    RandomStream stream({seed, 4, 0, 0, Purpose::test});
    const RuleSet list =
        canonical(random_rule_set(stream, tables.first.attributes, 0, 8), tables.first.attributes);
    const Attribute& labels = tables.first.attributes[0];
    const RuleSet there =
        parse_rule_set_for(to_text(list, tables.first.attributes, labels), tables.second.attributes,
                           tables.first.attributes, labels, "test");
    RC_ASSERT(there.rules.size() == list.rules.size());
    for (const auto& [in_first, in_second] : tables.common)
      for (std::size_t i = 0; i < list.rules.size(); ++i)
        RC_ASSERT(holds(list.rules[i].antecedent, in_first) ==
                  holds(there.rules[i].antecedent, in_second));
  }));
}

/// Whether a condition of the table above holds in another one: by each code, and last on a row
/// without a value.
std::string holds_on(const std::string& condition, const Attribute& other) {
  const std::vector<Attribute> others = {other};
  const RuleSet list = parse_rule_set_for("if " + condition + " then class = yes else class = no",
                                          others, table, classes, "test");
  std::string rows;
  for (std::uint32_t code = 0; code <= other.distinct(); ++code) {
    const std::vector<std::uint32_t> row = {code < other.distinct() ? code : missing_value};
    rows += holds(list.rules[0].antecedent, row) ? '1' : '0';
  }
  return rows;
}

TEST(RuleSetText, ValuesThatTheFirstTableDidNotHaveAreTakenAsTheTextSays) {
  const Attribute lengths = with_missing(numeric("length", {-1, 2, 2.45, 2.5, 4, 7}));
  EXPECT_EQ(holds_on("length <= 2.45", lengths), "1110000");
  EXPECT_EQ(holds_on("NOT (length <= 2.45)", lengths), "0001111");
  EXPECT_EQ(holds_on("length > 2.45", lengths), "0001110");
  EXPECT_EQ(holds_on("length in [2.45, 4.95]", lengths), "0011100");
  EXPECT_EQ(holds_on("length not in [2.45, 4.95]", lengths), "1100010");
  EXPECT_EQ(holds_on("NOT (length in [2.45, 4.95])", lengths), "1100011");
  EXPECT_EQ(holds_on("length = 3", lengths), "0000000");
  EXPECT_EQ(holds_on("length != 3", lengths), "1111110");
  EXPECT_EQ(holds_on("NOT (length = 3)", lengths), "1111111");
  const Attribute none = with_missing(numeric("length", {}));
  EXPECT_EQ(holds_on("length <= 2.45", none), "0");
  EXPECT_EQ(holds_on("NOT (length <= 2.45)", none), "1");
}

TEST(RuleSetText, LabelsThatTheOtherTableLacksHoldNowhere) {
  const Attribute colours = with_missing(nominal("colour", {"amber", "green", "pink"}));
  EXPECT_EQ(holds_on("colour = red", colours), "0000");
  EXPECT_EQ(holds_on("colour != red", colours), "1110");
  EXPECT_EQ(holds_on("NOT (colour = red)", colours), "1111");
  EXPECT_EQ(holds_on("colour != green", colours), "1010");
  EXPECT_EQ(holds_on("colour in [blue, green]", colours), "0100");
  EXPECT_EQ(holds_on("colour not in [blue, green]", colours), "1010");
  const Attribute sizes = with_missing(ordinal("size", {"tiny", "small", "large", "huge"}));
  EXPECT_EQ(holds_on("size <= medium", sizes), "11000");
  EXPECT_EQ(holds_on("size > medium", sizes), "00110");
  EXPECT_EQ(holds_on("size in [medium, large]", sizes), "00100");
  EXPECT_EQ(holds_on("NOT (size > medium)", sizes), "11001");
  EXPECT_EQ(holds_on("size = medium", sizes), "00000");
  EXPECT_EQ(holds_on("size != medium", sizes), "11110");
}

}  // namespace
}  // namespace atl::test
