// Columns of dates: how they are found, what is refused, what becomes of them in a file.
#include "io/hdf5/dataset_file.hpp"
#include "io/tables/import.hpp"
#include "src/core/communicator.hpp"
#include "src/data/date.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

using AttributeKind::date;
using AttributeKind::date_time;
using AttributeKind::date_time_utc;

constexpr double day = 86'400e6;

class ImportDates : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    options.output = path("t.h5");
    options.header = true;
    options.delimiter = ',';
  }

  /// The first attribute of a table of this column and a second one of labels.
  Attribute imported(const std::vector<std::string>& tokens, const std::string& name = "when") {
    std::string text = name + ",c\n";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      text.append(tokens[i]).append(i % 2 == 0 ? ",a\n" : ",b\n");
    }
    options.inputs = {write("t.csv", text)};
    reports.clear();
    schema = import_tables(options, report()).schema;
    return read_summary(options.output).attributes.front();
  }
  std::string failure(const std::vector<std::string>& tokens) {
    const std::string message = message_of<BadCell>([&] { imported(tokens); });
    EXPECT_FALSE(std::filesystem::exists(options.output));
    return message.substr(folder.size() + 1);
  }
  void say(const std::string& keys) {
    options.schema = parse_schema("[[column]]\nname = 'when'\n" + keys + "\n", "s.toml");
  }
  std::vector<std::uint32_t> codes() {
    const Dataset data = read_dataset(options.output, {.max_bins = 0, .attribute_bins = {}});
    std::vector<std::uint32_t> out;
    for (std::uint64_t row = 0; row < data.rows(); ++row) out.push_back(data.code(row, 0));
    return out;
  }

  ImportOptions options;
  Schema schema;
};

TEST_F(ImportDates, DaysAreOrderedByTime) {
  const Attribute when = imported({"2024-03-01", "1969-12-31", "", "2024-03-01", "1970-01-01"});
  EXPECT_EQ(when.kind, date);
  EXPECT_EQ(when.low, (std::vector<double>{-day, 0, 19'783 * day}));
  EXPECT_EQ(when.counts, (std::vector<std::uint64_t>{1, 1, 2}));
  EXPECT_EQ(when.missing, 1U);
  EXPECT_EQ(codes(), (std::vector<std::uint32_t>{2, 0, missing_code, 2, 1}));
  EXPECT_EQ(schema.columns[0].reason,
            "date: every value is a date; 3 distinct values from 1969-12-31 to 2024-03-01; 1 row "
            "without value");
  EXPECT_TRUE(reports.empty());
}

TEST_F(ImportDates, TheSameTimeInOtherFormsIsOneValue) {
  const Attribute when =
      imported({"1970-01-01T01:00", "1970-01-01 01:00:00", "1970-01-01T01:00:00.5"});
  EXPECT_EQ(when.kind, date_time);
  EXPECT_EQ(when.low, (std::vector<double>{3600e6, 3600.5e6}));
  EXPECT_EQ(when.counts, (std::vector<std::uint64_t>{2, 1}));
  const Attribute zoned = imported({"1970-01-01T01:00Z", "1970-01-01 03:00+02:00",
                                    "1969-12-31T20:00-0500", "1970-01-01T02:00Z"});
  EXPECT_EQ(zoned.kind, date_time_utc);
  EXPECT_EQ(zoned.low, (std::vector<double>{3600e6, 7200e6}));
  EXPECT_EQ(codes(), (std::vector<std::uint32_t>{0, 0, 0, 1}));
}

TEST_F(ImportDates, MixturesAreBadData) {
  EXPECT_EQ(
      failure({"2024-03-01", "2024-03-02", "2024-03-03T12:00"}),
      "t.csv:4:1: found '2024-03-03T12:00', expected a date without a time, as '2024-03-01' in "
      "line 2 (--nominal takes dates as labels)");
  EXPECT_EQ(failure({"2024-03-01T12:00", "2024-03-01"}),
            "t.csv:3:1: found '2024-03-01', expected a date with a time, no zone, as "
            "'2024-03-01T12:00' in line 2 (--nominal takes dates as labels)");
  EXPECT_EQ(failure({"2024-03-01T12:00Z", "2024-03-01T12:00"}),
            "t.csv:3:1: found '2024-03-01T12:00', expected a date with a time and its zone, as "
            "'2024-03-01T12:00Z' in line 2 (--nominal takes dates as labels)");
  EXPECT_EQ(failure({"2016-12-31T23:59:59Z", "2016-12-31T23:59:60Z"}),
            "t.csv:3:1: found '2016-12-31T23:59:60Z', expected no leap second "
            "(--nominal takes dates as labels)");
  options.nominal = {"when"};
  EXPECT_EQ(imported({"2024-03-01", "2024-03-03T12:00"}).kind, AttributeKind::nominal);
}

TEST_F(ImportDates, OneTextMakesAColumnLabels) {
  EXPECT_EQ(imported({"2024-03-01", "2024-03-03T12:00", "soon"}).kind, AttributeKind::nominal);
  EXPECT_EQ(schema.columns[0].reason, "nominal: 'soon' in line 4 is not a date; 3 labels");
  EXPECT_EQ(imported({"2024-02-29", "2024-02-30"}).kind, AttributeKind::nominal);
  EXPECT_EQ(imported({"1", "2024-02-29"}).kind, AttributeKind::nominal);
  EXPECT_EQ(imported({"20240301", "20240302"}).kind, AttributeKind::numeric);
}

TEST_F(ImportDates, ALateTextIsNamedIfMostAreDates) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 40; ++i) tokens.push_back(date_text(i * day, date));
  EXPECT_EQ(imported(tokens).kind, date) << "no identifier, though all differ and ascend";
  EXPECT_TRUE(reports.empty());
  tokens[30] = "0000-00-00";
  EXPECT_EQ(imported(tokens).kind, AttributeKind::nominal) << "no identifier";
  EXPECT_EQ(reports,
            std::vector<std::string>{
                "warning: 'when' is taken as labels: '0000-00-00' in line 32 is not a date "
                "(39 of 40 are); name it with --missing if it means \"no value\""});
  options.missing.emplace_back("0000-00-00");
  EXPECT_EQ(imported(tokens).kind, date);
}

TEST_F(ImportDates, ASchemaIsObeyed) {
  say("kind = 'date'");
  EXPECT_EQ(imported({"2024-02-29"}).kind, date);
  std::filesystem::remove(options.output);
  EXPECT_EQ(
      failure({"2024-02-29", "2024-02-30"}),
      "t.csv:3:1: found '2024-02-30', expected a date such as 2024-03-01, as the schema says");
  say("kind = 'date-time-utc'");
  EXPECT_EQ(failure({"2024-02-29T12:00"}),
            "t.csv:2:1: found '2024-02-29T12:00', expected a time with its zone such as "
            "2024-03-01T12:30:15Z, as the schema says");
  say("format = '%d.%m.%Y %H:%M'");
  EXPECT_EQ(imported({"1.1.1970 01:00", "01.01.1970 1:00"}).low, (std::vector<double>{3600e6}));
  EXPECT_EQ(schema.columns[0].format, "%d.%m.%Y %H:%M");
  EXPECT_EQ(schema.columns[0].reason,
            "date-time by the schema; 1 distinct value from 1970-01-01T01:00:00 to "
            "1970-01-01T01:00:00");
  EXPECT_NE(to_toml(schema).find("kind = \"date-time\"\nrole = \"input\""), std::string::npos);
  EXPECT_NE(to_toml(schema).find("format = \"%d.%m.%Y %H:%M\"\n"), std::string::npos);
  std::filesystem::remove(options.output);
  EXPECT_EQ(
      failure({"1970-01-01 01:00"}),
      "t.csv:2:1: found '1970-01-01 01:00', expected a date as '%d.%m.%Y %H:%M', as the schema "
      "says");
}

TEST_F(ImportDates, ManyValuesAreSortedOutsideOfMemory) {
  std::vector<std::string> tokens;
  for (int i = 0; i < 60'000; ++i) tokens.push_back(date_text(i * 37 % 60'000 * 60e6, date_time));
  const Attribute all = imported(tokens);
  const auto expected = codes();
  options.memory_limit = 1 << 20;
  const Attribute spilled = imported(tokens);
  EXPECT_EQ(spilled.kind, date_time);
  EXPECT_EQ(spilled.low, all.low);
  EXPECT_EQ(spilled.low.size(), 60'000U);
  EXPECT_EQ(codes(), expected);
}

TEST_F(ImportDates, DeclaredDatesOfArff) {
  options.inputs = {
      write("t.arff",
            "@relation r\n@attribute a date \"dd.MM.yyyy\"\n@attribute b date\n@data\n"
            "02.01.1970,'1970-01-01T00:00:01'\n?,\"1970-01-01T00:00:02\"\n")};
  import_tables(options, report());
  const auto attributes = read_summary(options.output).attributes;
  EXPECT_EQ(attributes[0].kind, date);
  EXPECT_EQ(attributes[0].low, (std::vector<double>{day}));
  EXPECT_EQ(attributes[0].missing, 1U);
  EXPECT_EQ(attributes[1].kind, date_time);
  EXPECT_EQ(attributes[1].low, (std::vector<double>{1e6, 2e6}));
}

TEST_F(ImportDates, TheHeaderIsTold) {
  options.header.reset();
  options.inputs = {write("t.csv", "2024-03-01,a\n2024-03-02,b\n2024-03-04,b\n")};
  import_tables(options, report());
  EXPECT_EQ(read_summary(options.output).rows, 3U) << "a date above dates is no name";
  options.inputs = {write("t.csv", "city,2024-03-01\nRome,3\nOslo,4\n")};
  import_tables(options, report());
  EXPECT_EQ(read_summary(options.output).rows, 2U) << "a date above numbers is a name";
  options.inputs = {write("t.csv", "c,when\na,2024-03-01\nc,2024-03-04\n")};
  import_tables(options, report());
  EXPECT_EQ(read_summary(options.output).rows, 2U) << "dates below a name, though 'c' occurs";
}

TEST_F(ImportDates, TheKindIsPartOfTheFingerprint) {
  imported({"1970-01-01T00:00", "1970-01-02T00:00"});
  const auto local = read_summary(options.output).fingerprint;
  imported({"1970-01-01T00:00Z", "1970-01-02T00:00Z"});
  EXPECT_NE(read_summary(options.output).fingerprint, local);
}

}  // namespace
}  // namespace atl::io::test
