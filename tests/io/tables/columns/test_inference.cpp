// What kind the columns of a table are found to have, and what is said of doubtful ones.
#include "io/tables/import.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

class Inference : public FolderTest {
 protected:
  /// The schema of a table of the column `price`, one token a row, beside one of three values.
  Column price(const std::vector<std::string>& tokens) {
    std::string text = "price;x\n";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      text += tokens[i] + ";" + std::to_string(i % 3) + "\n";
    }
    options.inputs = {write("t.csv", text)};
    options.delimiter = ';';
    options.header = true;
    reports.clear();
    return infer_schema(options, report()).columns[0];
  }
  /// 12.07, 13.07, ...: as many different prices.
  static std::vector<std::string> prices(int count, const std::string& point = ".") {
    std::vector<std::string> tokens;
    tokens.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) tokens.push_back(std::to_string(12 + i) + point + "07");
    return tokens;
  }

  ImportOptions options;
};

TEST_F(Inference, NamesTheCellThatMakesNumbersLabels) {
  std::vector<std::string> tokens = prices(5000);
  tokens[2500] = "sold";
  const Column column = price(tokens);
  EXPECT_EQ(column.kind, AttributeKind::nominal);
  EXPECT_EQ(column.role, ColumnRole::input);
  EXPECT_EQ(reports,
            std::vector<std::string>{"warning: 'price' is taken as labels: 'sold' in line 2502 is "
                                     "not a number (4999 of 5000 are); name it with --missing if "
                                     "it means \"no value\""});
  tokens[2500] = "n/a";
  EXPECT_EQ(price(tokens).kind, AttributeKind::numeric);
  EXPECT_TRUE(reports.empty());
}

TEST_F(Inference, WarnsFromNinePartsInTenOn) {
  std::vector<std::string> tokens = prices(36);
  for (const char* const label : {"a", "b", "c", "d"}) tokens.emplace_back(label);
  EXPECT_EQ(price(tokens).role, ColumnRole::input);
  EXPECT_EQ(reports.size(), 1U);
  tokens.pop_back();
  tokens[0] = "e";
  tokens.emplace_back("f");
  EXPECT_EQ(price(tokens).role, ColumnRole::ignore);
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].substr(0, 41), "warning: ignored 'price' (identifier-like");
}

TEST_F(Inference, ReadsDecimalCommasWhereNothingElseIsPossible) {
  const Column column = price(prices(40, ","));
  EXPECT_EQ(column.kind, AttributeKind::numeric);
  EXPECT_EQ(column.decimal, DecimalMark::comma);
  EXPECT_EQ(column.reason,
            "numeric: every value is a number, with a decimal comma; 40 distinct values from 12.07 "
            "to 51.07");
  EXPECT_EQ(reports, std::vector<std::string>{"info: 'price' is read as numbers with a decimal "
                                              "comma, such as '12,07' in line 2; --nominal takes "
                                              "labels"});
  options.decimal = DecimalMark::plain;
  EXPECT_EQ(price(prices(40, ",")).kind, AttributeKind::nominal);
  EXPECT_EQ(reports, std::vector<std::string>{"warning: 'price' is taken as labels: '12,07' in "
                                              "line 2 is not a number (40 of 40 are, but for how "
                                              "they are written: --decimal)"});
}

TEST_F(Inference, NeverGuessesWhatThreeDigitsBehindTheOnlySeparatorAre) {
  EXPECT_EQ(price({"1,234", "999", "2,500"}).kind, AttributeKind::nominal);
  EXPECT_EQ(reports,
            std::vector<std::string>{
                "warning: 'price' is taken as labels: '1,234' in line 2 may have a decimal "
                "comma or a group of three digits; --decimal comma or --decimal point says "
                "which"});
  options.decimal = DecimalMark::point;
  EXPECT_EQ(price({"1,234", "999", "2,500"}).kind, AttributeKind::numeric);
  options.decimal = DecimalMark::detected;
  EXPECT_EQ(price({"1.234", "999", "2.500"}).kind, AttributeKind::numeric);
  EXPECT_EQ(
      reports,
      std::vector<std::string>{
          "warning: 'price': every point has three digits behind it, as in '1.234' in line 2; "
          "taken for decimal points (--decimal comma takes them to group digits, --decimal "
          "point is content)"});
  options.decimal = DecimalMark::point;
  price({"1.234", "999", "2.500"});
  EXPECT_TRUE(reports.empty());
}

TEST_F(Inference, TakesUsualWordsBesideNumbersForNoValueAtAnyShare) {
  std::vector<std::string> tokens = prices(10);
  for (int i = 0; i < 20; ++i) tokens.emplace_back(i % 2 == 0 ? "None" : "#N/A");
  const Column column = price(tokens);
  EXPECT_EQ(column.kind, AttributeKind::numeric);
  EXPECT_EQ(column.missing.back(), "#N/A") << "as a schema needs it";
  EXPECT_EQ(reports,
            std::vector<std::string>{"info: 'price': 'None' (10 rows) and '#N/A' (10 rows) mean no "
                                     "value beside numbers; --nominal takes labels"});
  options.missing_only = std::vector<std::string>{""};
  EXPECT_EQ(price(tokens).kind, AttributeKind::nominal);
  EXPECT_EQ(reports.size(), 1U) << "a warning names two words";
  options.missing_only.reset();
  for (std::size_t i = 10; i < tokens.size(); ++i) tokens[i] = "sold";
  EXPECT_EQ(price(tokens).kind, AttributeKind::nominal);
  EXPECT_EQ(reports,
            std::vector<std::string>{"warning: 'price' is taken as labels: 'sold' in line 12 is "
                                     "not a number (10 of 30 are); name it with --missing if it "
                                     "means \"no value\""});
  options.missing = {"sold"};
  EXPECT_EQ(price(tokens).kind, AttributeKind::numeric);
  EXPECT_EQ(price({"2020-01-01", "NaT", "2020-01-03"}).kind, AttributeKind::date);
  EXPECT_EQ(reports, std::vector<std::string>{"info: 'price': 'NaT' (1 row) means no value beside "
                                              "dates; --nominal takes labels"});
}

TEST_F(Inference, MissingNumbersMatchHoweverTheyAreWritten) {
  options.missing = {"-999"};
  const Column column = price({"1", "-999", "-999.0", "-9.99e2", "3"});
  EXPECT_EQ(column.kind, AttributeKind::numeric);
  EXPECT_NE(column.reason.find("3 rows without value"), std::string::npos) << column.reason;
  const Column commas = price({"1,5", "-999,00", "-999",
                               "\xE2\x88\x92"
                               "999,0",
                               "3,5"});
  EXPECT_NE(commas.reason.find("3 rows without value"), std::string::npos) << commas.reason;
  options.missing = {"00"};
  EXPECT_EQ(price({"1", "0", "5"}).reason.find("without value"), std::string::npos) << "a code";
}

TEST_F(Inference, CutsAListOfSuchWarnings) {
  std::string text, row;
  for (int i = 0; i < 11; ++i) {
    text += i == 0 ? "a" : ",a";
    text += std::to_string(i);
    row += i == 0 ? "sold" : ",sold";
  }
  text.append("\n").append(row).append("\n");
  for (int i = 0; i < 20; ++i) {
    for (int k = 0; k < 11; ++k) text.append(k == 0 ? "" : ",").append(std::to_string(i * k));
    text += "\n";
  }
  options.inputs = {write("t.csv", text)};
  options.header = true;
  infer_schema(options, report());
  ASSERT_EQ(reports.size(), 10U) << "the delimiter, 8 columns, the others";
  EXPECT_EQ(reports[9],
            "warning: 3 more columns need a look, as most of their values are numbers or dates: "
            "see atoll "
            "import --print-schema");
}

TEST_F(Inference, TakesIntegersWithALeadingZeroAsLabels) {
  const Column zip = price({"501", "00501", "10001", "00501", "20002"});
  EXPECT_EQ(zip.kind, AttributeKind::nominal);
  EXPECT_EQ(zip.reason,
            "nominal: integers with a leading zero are taken as labels ('00501' in line 3); "
            "4 labels");
  EXPECT_TRUE(reports.empty());
  EXPECT_EQ(price({"1", "-007"}).kind, AttributeKind::nominal);
  EXPECT_EQ(price({"1", "00"}).kind, AttributeKind::nominal);
  EXPECT_EQ(price({"0", "-0", "0.5", "00.5", "10", "0e3"}).kind, AttributeKind::numeric);

  std::vector<std::string> identifiers;
  for (int i = 1001; i < 1101; ++i) {
    identifiers.push_back(std::to_string(i));
    identifiers.back().front() = '0';
  }
  EXPECT_EQ(price(identifiers).role, ColumnRole::ignore) << "labels that tell every row apart";

  options.schema = Schema{{{"price", AttributeKind::numeric, ColumnRole::input, {}, {}, ""}}};
  EXPECT_EQ(price({"007", "7"}).kind, AttributeKind::numeric);
}

TEST_F(Inference, FindsTheKindThatASchemaLeavesOpen) {
  options.schema = Schema{{{"price", std::nullopt, ColumnRole::target, {}, {}, ""}}};
  const Column column = price({"1", "1"});
  EXPECT_EQ(column.kind, AttributeKind::numeric);
  EXPECT_EQ(column.role, ColumnRole::target);
  EXPECT_EQ(price({"1", "a"}).kind, AttributeKind::nominal);
}

TEST_F(Inference, KeepsWhatTheUserNames) {
  std::vector<std::string> keys;
  for (int i = 0; i < 40; ++i) keys.push_back(std::to_string(i) + "k");
  EXPECT_EQ(price(keys).role, ColumnRole::ignore);
  options.nominal = {"price"};
  EXPECT_EQ(price(keys).role, ColumnRole::input);
  EXPECT_TRUE(reports.empty());
  std::vector<std::string> tokens = prices(40);
  tokens[3] = "sold";
  EXPECT_EQ(price(tokens).role, ColumnRole::input);
  EXPECT_TRUE(reports.empty()) << "it is a label by request";
}

}  // namespace
}  // namespace atl::io::test
