// Numbers as people write them.
#include <gtest/gtest.h>

#include "io/tables/values/number_evidence.hpp"
#include "io/tables/values/written_number.hpp"

namespace atl::io {
namespace {

/// What a column of these tokens is found to be.
NumberEvidence evidence(const std::vector<std::string>& tokens,
                        DecimalMark mark = DecimalMark::detected, bool usual_words = true,
                        std::optional<char> likely = {}) {
  NumberEvidence evidence(mark, usual_words, likely);
  std::uint64_t line = 1;
  for (const std::string& token : tokens) {
    const bool plain = NumberForm{}.read(token).has_value();
    evidence.observe(token, plain, ++line);
  }
  return evidence;
}

/// The values of the tokens, empty if they are no numbers.
std::vector<double> values(const std::vector<std::string>& tokens,
                           DecimalMark mark = DecimalMark::detected,
                           std::optional<char> likely = {}) {
  const NumberEvidence found = evidence(tokens, mark, true, likely);
  std::vector<double> out;
  if (!found.numbers()) return out;
  for (const std::string& token : tokens) out.push_back(found.form().read(token).value_or(-1e99));
  return out;
}
using Values = std::vector<double>;
using Doubt = NumberEvidence::Doubt;

TEST(WrittenNumber, IsReadWhereOneReadingAloneIsPossible) {
  EXPECT_EQ(values({"12,07", "3,5", "4"}), (Values{12.07, 3.5, 4}));
  EXPECT_EQ(values({"1.234,5", "1.234", "-1.234.567"}), (Values{1234.5, 1234, -1234567}));
  EXPECT_EQ(values({"1,234.5", "2,345", "999"}), (Values{1234.5, 2345, 999}));
  EXPECT_EQ(values({"1,234,567", "1,234"}), (Values{1234567, 1234}));
  EXPECT_EQ(values({"0,123", "0,456"}), (Values{0.123, 0.456})) << "no group begins with 0";
  EXPECT_EQ(values({"1234,567"}), (Values{1234.567}));
  EXPECT_EQ(values({"1 234", "12 345,6"}), (Values{1234, 12345.6}));
  EXPECT_EQ(values({"1\xC2\xA0"
                    "234",
                    "5"}),
            (Values{1234, 5}))
      << "no-break space";
  EXPECT_EQ(values({"1'234.50", "7"}), (Values{1234.5, 7}));
  EXPECT_EQ(values({"1,5e3", "2"}), (Values{1500, 2}));
  EXPECT_EQ(values({"\xE2\x88\x92"
                    "5.5",
                    "\xE2\x88\x92"
                    "1e2"}),
            (Values{-5.5, -100}))
      << "not plain, though it would be with an ASCII minus";
  EXPECT_EQ(values({"\xE2\x88\x92"
                    "5",
                    "3"}),
            (Values{-5, 3}))
      << "a minus sign";
  EXPECT_EQ(values({",5", "1,25"}), (Values{0.5, 1.25}));
  EXPECT_EQ(values({" 5 ", "6"}), (Values{5, 6})) << "blanks in quotes";
}

TEST(WrittenNumber, HasNoUnitOrAllHaveTheSame) {
  EXPECT_EQ(values({"84.6%", "5 %", "-3%"}), (Values{84.6, 5, -3}));
  EXPECT_EQ(values({"$88.51", "-$5", "$-6", "$1,234.50"}), (Values{88.51, -5, -6, 1234.5}));
  EXPECT_EQ(values({"5,20 €", "1.234,00 €"}), (Values{5.2, 1234}));
  EXPECT_EQ(values({"EUR 5", "7 EUR"}), (Values{5, 7}));
  EXPECT_EQ(evidence({"5%", "6"}).doubt(), Doubt::units);
  EXPECT_EQ(evidence({"6", "5%"}).doubt(), Doubt::units);
  EXPECT_EQ(evidence({"6", "5%"}).doubtful().token, "5%");
  EXPECT_EQ(evidence({"$5", "€6"}).doubt(), Doubt::units);
  EXPECT_EQ(evidence({"5kg", "6kg"}).doubt(), Doubt::words);
}

TEST(WrittenNumber, ThreeDigitsBehindTheOnlySeparatorAreNotGuessed) {
  EXPECT_EQ(evidence({"1,234", "2,345"}).doubt(), Doubt::either_mark);
  EXPECT_EQ(evidence({"999", "1,234"}).doubt(), Doubt::either_mark);
  EXPECT_EQ(evidence({"$1,234", "$999"}).doubt(), Doubt::either_mark);
  EXPECT_EQ(evidence({"999", "1,234"}).doubtful().token, "1,234");
  EXPECT_EQ(values({"1,234", "999"}, DecimalMark::point), (Values{1234, 999}));
  EXPECT_EQ(values({"1,234", "999"}, DecimalMark::comma), (Values{1.234, 999}));
  EXPECT_EQ(values({"1.234", "999"}), (Values{1.234, 999}));
  EXPECT_TRUE(evidence({"1.234", "999"}).points_may_group()) << "a warning says so";
  EXPECT_FALSE(evidence({"1.234", "9.5"}).points_may_group());
  EXPECT_FALSE(evidence({"0.234", "0.567"}).points_may_group());
  EXPECT_EQ(values({"1.234", "999"}, DecimalMark::comma), (Values{1234, 999}));
  EXPECT_EQ(values({"1,234"}, DecimalMark::detected, ','), (Values{1.234}));
  EXPECT_EQ(values({"1.234"}, DecimalMark::detected, ','), (Values{1234}));
  EXPECT_TRUE(evidence({"$1.234", "$9"}).points_may_group());
  EXPECT_TRUE(evidence({"1.234"}, DecimalMark::detected, true, ',').has_likely_mark());
  EXPECT_FALSE(evidence({"1.5"}, DecimalMark::detected, true, ',').has_likely_mark());
  EXPECT_EQ(values({"1.5"}, DecimalMark::detected, ','), (Values{1.5})) << "one reading alone";
}

TEST(WrittenNumber, OtherMixturesAreNone) {
  EXPECT_EQ(evidence({"1,5", "1.5"}).doubt(), Doubt::marks);
  EXPECT_EQ(evidence({"1.5", "1,5"}).doubtful().token, "1,5");
  EXPECT_EQ(evidence({"1 234", "1,234.5"}).doubt(), Doubt::marks);
  EXPECT_EQ(evidence({"1.5"}, DecimalMark::comma).doubt(), Doubt::marks);
  EXPECT_EQ(evidence({"12,07"}, DecimalMark::plain).doubt(), Doubt::words);
  EXPECT_EQ(evidence({"5%"}, DecimalMark::plain).doubt(), Doubt::words);
  for (const char* const text : {"1,23,4", "1,2345.5", "0,123,456", "1,,234", "5,", "--5", "1 23",
                                 "1.234.5", "12:30", "%", "$", "5%%", "1-2", "0x10", "A1", "1e"}) {
    EXPECT_FALSE(read_written_number(text)) << text;
  }
}

TEST(WrittenNumber, WordsBesideItMeanNoValueIfTheyAreUsual) {
  for (const char* const word :
       {"None", "NONE", "none", "#N/A", "N.A.", "n.d.", "-", "--", "unknown", "Infinity", "-inf",
        "1.#IND", "<NA>", "NaT", ".", "*", "null", "missing", "#DIV/0!"}) {
    EXPECT_TRUE(evidence({"1", word, "2.5"}).numbers()) << word;
    EXPECT_EQ(evidence({"1", word, "2.5"}).words().front().token, word);
    EXPECT_FALSE(evidence({"1", word}, DecimalMark::detected, false).numbers()) << word;
  }
  EXPECT_TRUE(evidence({"None", "-nan", "1.#IND", "5"}).numbers());
  const NumberEvidence other = evidence({"1", "None", "sold", "2"});
  EXPECT_EQ(other.doubt(), Doubt::words);
  EXPECT_EQ(other.doubtful().token, "sold");
  EXPECT_EQ(other.doubtful().line, 4U);
  EXPECT_EQ(evidence({"None", "unknown"}).doubt(), Doubt::words) << "no number beside them";
}

TEST(WrittenNumber, FormReadsBackFromItsText) {
  for (const std::vector<std::string>& tokens :
       {std::vector<std::string>{"1,5"}, {"5%"}, {"1,50 zł"}, {"1,234.5"}, {"7"}}) {
    const NumberForm form = evidence(tokens).form();
    const NumberForm read = parse_number_form(to_text(form));
    EXPECT_EQ(read.plain, form.plain);
    EXPECT_EQ(read.decimal, form.decimal);
    EXPECT_EQ(read.unit, form.unit);
  }
  EXPECT_EQ(to_text(evidence({"1,50 zł"}).form()), "comma zł");
  EXPECT_TRUE(parse_number_form("nonsense").plain);
}

}  // namespace
}  // namespace atl::io
