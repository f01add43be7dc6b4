#include <cmath>

#include "io/hdf5/dataset_file.hpp"
#include "io/tables/import.hpp"
#include "src/core/communicator.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

using Codes = std::vector<std::uint32_t>;

class Import : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    options.output = path("t.h5");
  }

  ImportSummary import(const std::string& text) {
    options.inputs = {write("t.csv", text)};
    reports.clear();
    return import_tables(options, report());
  }
  Dataset data() {
    LoadOptions exact;
    exact.max_bins = 0;
    return read_dataset(options.output, exact);
  }
  static Codes codes(const Dataset& data, std::uint32_t attribute) {
    Codes out;
    for (std::uint64_t row = 0; row < data.rows(); ++row) out.push_back(data.code(row, attribute));
    return out;
  }
  template <typename Thrown>
  std::string failure(const std::string& text) {
    const std::string message = message_of<Thrown>([&] { import(text); });
    EXPECT_FALSE(std::filesystem::exists(options.output));
    const std::string place = folder + "/";
    return message.rfind(place, 0) == 0 ? message.substr(place.size()) : message;
  }
  /// The one warning, or "".
  std::string warning() const {
    std::string found;
    for (const std::string& text : reports) {
      if (text.rfind("warning: ", 0) != 0) continue;
      EXPECT_EQ(found, "") << text;
      found = text.substr(9);
    }
    return found;
  }

  ImportOptions options;
};

TEST_F(Import, GivesCodesByValueAndByLabel) {
  const ImportSummary summary = import("x,c\n2,b\n10,a\n-0,b\n,a\n0,NA\n1e1,\xC3\xA9\n");
  EXPECT_EQ(summary.rows, 6U);
  const Dataset table = data();
  const Attribute& x = table.attributes()[0];
  EXPECT_EQ(x.kind, AttributeKind::numeric);
  EXPECT_EQ(x.low, (std::vector<double>{0, 2, 10}));
  EXPECT_FALSE(std::signbit(x.low[0]));
  EXPECT_EQ(x.counts, (std::vector<std::uint64_t>{2, 1, 2}));
  EXPECT_EQ(x.missing, 1U);
  EXPECT_EQ(codes(table, 0), (Codes{1, 2, 0, missing_code, 0, 2}));
  const Attribute& c = table.attributes()[1];
  EXPECT_EQ(c.kind, AttributeKind::nominal);
  EXPECT_EQ(c.labels, (std::vector<std::string>{"a", "b", "\xC3\xA9"}));
  EXPECT_EQ(c.counts, (std::vector<std::uint64_t>{2, 2, 1}));
  EXPECT_EQ(codes(table, 1), (Codes{1, 0, 1, 0, missing_code, 2}));
}

TEST_F(Import, ExplainsWhatItInferred) {
  const Schema schema =
      import("x,c,big\n2,b,9007199254740993\n10,a7,9007199254740992\n,b,5\n").schema;
  EXPECT_EQ(schema.columns[0].reason,
            "numeric: every value is a number; 2 distinct values from 2 to 10; 1 row without "
            "value");
  EXPECT_EQ(schema.columns[1].reason, "nominal: 'b' in line 2 is not a number; 2 labels");
  EXPECT_EQ(schema.columns[2].reason,
            "nominal: integers beyond 2^53 are taken as labels; 3 labels");
  EXPECT_EQ(schema.columns[2].kind, AttributeKind::nominal);
}

TEST_F(Import, KeepsBigNumbersThatAreNoIntegersNumeric) {
  EXPECT_EQ(import("x\n1e300\n0.5\n").schema.columns[0].kind, AttributeKind::numeric);
}

TEST_F(Import, TakesInfinityBesideNumbersForNoValue) {
  EXPECT_EQ(import("x\n1\ninf\n2\n").schema.columns[0].kind, AttributeKind::numeric);
  EXPECT_EQ(codes(data(), 0), (Codes{0, missing_code, 1}));
  EXPECT_EQ(data().attributes()[0].missing_tokens->back(), "inf");
}

TEST_F(Import, TakesTheUsualTokensForNoValue) {
  import("x,c\n1,a\n,b\n?,?\nNA,NA\nN/A,N/A\nn/a,n/a\nNaN,NaN\nnan,nan\nNULL,NULL\nnull,null\n");
  const Dataset table = data();
  EXPECT_EQ(table.attributes()[0].kind, AttributeKind::numeric);
  EXPECT_EQ(table.attributes()[0].missing, 9U);
  EXPECT_EQ(table.attributes()[1].labels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(table.attributes()[1].missing, 8U);
}

TEST_F(Import, IgnoresUselessColumnsWithOneWarning) {
  std::string text = "row,key,time,same,none,flag,x\n";
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i + 1) + ",k" + std::to_string(i * 37 % 40) + "," +
            std::to_string(1000 + i * i) + ",1,NA," + (i % 2 == 0 ? "y," : ",") +
            std::to_string(i % 3) + "\n";
  }
  const ImportSummary summary = import(text);
  EXPECT_EQ(warning(),
            "ignored 'row' (identifier-like), 'key' (identifier-like), 'time' (identifier-like), "
            "'same' (constant), 'none' (all missing); give a column a role in a schema to keep it");
  const DatasetSummary file = read_summary(options.output);
  ASSERT_EQ(file.attributes.size(), 2U);
  EXPECT_EQ(file.attributes[0].name, "flag") << "one value and missing ones can tell rows apart";
  ASSERT_EQ(file.ignored.size(), 5U);
  EXPECT_EQ(file.ignored[1].name, "key");
  EXPECT_EQ(file.ignored[1].reason, "identifier-like");
  EXPECT_EQ(summary.schema.columns[3].role, ColumnRole::ignore);

  Schema schema;
  for (const char* const name : {"row", "key", "same"}) {
    schema.columns.push_back({name, AttributeKind::nominal, ColumnRole::input, {}, {}, ""});
  }
  options.schema = schema;
  import(text);
  EXPECT_EQ(read_summary(options.output).attributes.size(), 5U);
}

TEST_F(Import, CutsALongListOfIgnoredColumns) {
  std::string names = "x,y", values;
  for (int i = 0; i < 20; ++i) {
    names.append(",c").append(std::to_string(i));
    values += ",7";
  }
  import(names + "\n1,1" + values + "\n2,2" + values + "\n");
  EXPECT_NE(warning().find("'c7' (constant) and 12 more; give"), std::string::npos) << warning();
}

TEST_F(Import, AsksForTheDelimiterOfASingleColumn) {
  const std::string file = path("t.csv");
  EXPECT_EQ(import("a:b\n1:2\n3:4\n").rows, 2U);
  EXPECT_EQ(warning(), file +
                           ": one column only ('a:b'); rules need two: is the delimiter right? "
                           "(--delimiter)");
  options.ignore = {"b"};
  import("a,b\n1,2\n3,4\n");
  EXPECT_EQ(warning(), file + ": one column only ('a'); rules need two");
  options.ignore = {};
  options.inputs = {write("t.arff", "@relation r\n@attribute a {1,2}\n@data\n2\n1\n")};
  reports.clear();
  import_tables(options, report());
  EXPECT_EQ(warning(), path("t.arff") + ": one column only ('a'); rules need two");
}

TEST_F(Import, SaysWhatItMade) {
  options.ignore = {"b"};
  EXPECT_EQ(to_text(import("a,b,c,d\n1,2,x,1\n3,4,y,1\n")),
            "2 rows, 2 attributes (1 numeric, 1 nominal), 2 columns left out");
  options.ignore = {};
  EXPECT_EQ(to_text(import("a,b\n1,2\n3,4\n5,6\n")), "3 rows, 2 attributes (2 numeric)");
}

TEST_F(Import, GroupsRareLabelsAsOther) {
  options.max_categories = 2;
  const std::string text = "c,x\nz,1\nz,2\nb,1\nother,1\nb,2\na,1\n,2\n";
  const Schema schema = import(text).schema;
  const Dataset table = data();
  EXPECT_EQ(table.attributes()[0].labels, (std::vector<std::string>{"b", "other_", "z"}));
  EXPECT_EQ(table.attributes()[0].counts, (std::vector<std::uint64_t>{2, 2, 2}));
  EXPECT_EQ(codes(table, 0), (Codes{2, 2, 0, 1, 0, 1, missing_code}));
  EXPECT_EQ(schema.columns[0].reason,
            "nominal: 'z' in line 2 is not a number; 4 labels, the 2 most frequent are kept, the "
            "others become 'other_'; 1 row without value");
  EXPECT_EQ(warning(),
            "of 'c' only the most frequent labels are kept, the others become one "
            "(atoll import --max-categories)");
  options.max_categories = 1;  // of equally frequent ones, the smaller label stays
  import(text);
  EXPECT_EQ(data().attributes()[0].labels, (std::vector<std::string>{"b", "other_"}));
}

TEST_F(Import, FollowsTheSchema) {
  options.schema =
      Schema{{{"size", AttributeKind::ordinal, ColumnRole::target, {"-"}, {"S", "M", "L"}, ""},
              {"code", AttributeKind::nominal, ColumnRole::input, {"9"}, {"2", "1"}, ""},
              {"skip", AttributeKind::numeric, ColumnRole::ignore, {}, {}, ""}}};
  const std::string text = "size,code,skip\nL,1,x\nS,2,y\n-,9,z\nL,3,z\n";
  const ImportSummary summary = import(text);
  const Dataset table = data();
  const Attribute& size = table.attributes()[0];
  EXPECT_EQ(size.kind, AttributeKind::ordinal);
  EXPECT_EQ(size.role, AttributeRole::target);
  EXPECT_EQ(size.labels, (std::vector<std::string>{"S", "L"}));
  EXPECT_EQ(codes(table, 0), (Codes{1, 0, missing_code, 1}));
  EXPECT_EQ(table.attributes()[1].labels, (std::vector<std::string>{"1", "2", "other"}));
  EXPECT_EQ(codes(table, 1), (Codes{0, 1, missing_code, 2}));
  EXPECT_EQ(summary.schema.columns[2].reason, "ignored by request");
  EXPECT_EQ(read_summary(options.output).ignored[0].reason, "by request");

  std::filesystem::remove(options.output);
  EXPECT_EQ(failure<BadCell>("size,code,skip\nL,1,x\nXL,2,y\n"),
            "t.csv:3:1: found 'XL', expected one of L, M, S, as the schema says");
  options.schema->columns[2].role = ColumnRole::input;
  EXPECT_EQ(failure<BadCell>(text), "t.csv:2:3: found 'x', expected a number, as the schema says");
  options.schema->columns[2].name = "skap";
  options.schema->file = "s.toml";
  EXPECT_EQ(failure<BadData>(text), "s.toml: no column 'skap', did you mean 'skip'?");
}

TEST_F(Import, FollowsTheCommandLine) {
  options.target = "y";
  options.nominal = {"n"};
  options.ignore = {"z"};
  options.missing = {"-9"};
  import("n,y,z\n1,5,a\n1.0,-9,b\n-9,6,c\n");
  const Dataset table = data();
  ASSERT_EQ(table.attributes().size(), 2U);
  EXPECT_EQ(table.attributes()[0].labels, (std::vector<std::string>{"1", "1.0"}));
  EXPECT_EQ(table.attributes()[1].role, AttributeRole::target);
  EXPECT_EQ(codes(table, 1), (Codes{0, missing_code, 1}));

  std::filesystem::remove(options.output);
  options.target = "clss";
  options.nominal = {};
  options.ignore = {};
  EXPECT_EQ(failure<UsageError>("Class,x\na,1\nb,2\n"),
            "--class: no column 'clss', did you mean 'Class'?");
  options.target = "";
  options.nominal = {"foo"};
  EXPECT_EQ(failure<UsageError>("Class,x\na,1\nb,2\n"),
            "--nominal: no column 'foo', expected one of 'Class', 'x'");
}

TEST_F(Import, MakesNamesUniqueWithAWarning) {
  const Schema schema = import("a,a,,a_2\n1,2,3,4\n5,6,7,8\n").schema;
  EXPECT_EQ(schema.columns[0].name, "a");
  EXPECT_EQ(schema.columns[1].name, "a_3");
  EXPECT_EQ(schema.columns[2].name, "column_3");
  EXPECT_EQ(schema.columns[3].name, "a_2");
  EXPECT_EQ(warning(), "empty or repeated column names: named column 2 'a_3', column 3 'column_3'");
}

TEST_F(Import, JoinsInputsOfTheSameColumns) {
  options.inputs = {write("1.csv", "a,b\n1,x\n2,y\n"), write("2.csv", "a,b\n3,x\n")};
  EXPECT_EQ(import_tables(options, report()).rows, 3U);
  EXPECT_EQ(codes(data(), 0), (Codes{0, 1, 2}));
  EXPECT_EQ(codes(data(), 1), (Codes{0, 1, 0}));
  options.inputs[1] = write("3.csv", "a,c\n3,x\n");
  EXPECT_EQ(message_of<BadData>([&] { import_tables(options, report()); }),
            path("3.csv") + ": column 2 is 'c', expected 'b', as in " + path("1.csv"));
  options.inputs[1] = write("4.csv", "a\n3\n");
  EXPECT_EQ(message_of<BadData>([&] { import_tables(options, report()); }),
            path("4.csv") + ": has 1 column, expected 2, as in " + path("1.csv"));
}

TEST_F(Import, DeclaredTypesWinOverInference) {
  options.inputs = {write("t.arff",
                          "@relation r\n@attribute a {1,2}\n@attribute Class {x,y}\n@data\n"
                          "2,x\n1,?\n2,y\n")};
  import_tables(options, report());
  const Dataset table = data();
  EXPECT_EQ(table.attributes()[0].kind, AttributeKind::nominal);
  EXPECT_EQ(table.attributes()[1].role, AttributeRole::target);
  EXPECT_EQ(codes(table, 1), (Codes{0, missing_code, 1}));
  write("t.arff", "@relation r\n@attribute a {1,2}\n@data\n2\n3\n");
  EXPECT_EQ(
      message_of<BadCell>([&] { import_tables(options, report()); }),
      path("t.arff") + ":5:1: found '3', expected one of 1, 2, as the table's declaration says");
}

TEST_F(Import, RefusesTablesWithoutUse) {
  EXPECT_EQ(failure<BadData>("a,b\n"), "t.csv: has a header only, expected rows");
  EXPECT_EQ(failure<BadData>("a,b\n1,x\n"),
            "t.csv: no column is left, ignored 'a' (constant), 'b' (constant)");
  EXPECT_EQ(warning(), "") << "the error says it";
  EXPECT_EQ(failure<BadData>("a\n?\nNA\n"), "t.csv: no column is left, ignored 'a' (all missing)");
  EXPECT_EQ(failure<BadCell>("a,b\n1,2\n3\n"),
            "t.csv:3:2: found '1 field', expected 2 as in line 1");
  options.inputs = {write("t.csv", "a\n1\n2\n")};
  options.output = options.inputs[0];
  EXPECT_THROW(import_tables(options, report()), UsageError);
}

TEST_F(Import, ImportsASingleColumnAndAHundredThousand) {
  import("a\n1\n2\n1\n");
  EXPECT_EQ(codes(data(), 0), (Codes{0, 1, 0}));
  std::string text;
  for (int row = -1; row < 3; ++row) {
    for (int i = 0; i < 100000; ++i) {
      text += i > 0 ? "," : "";
      text += row < 0 ? "n" : "";
      text += std::to_string(row < 0 ? i : i % 7 + row);
    }
    text += '\n';
  }
  import(text);
  const Dataset table = data();
  ASSERT_EQ(table.attributes().size(), 100000U);
  EXPECT_EQ(table.attributes()[99999].name, "n99999");
  EXPECT_EQ(codes(table, 99999), (Codes{0, 1, 2}));
}

TEST_F(Import, GivesTheSameFileWithLittleMemory) {
  std::string text = "x,label,few\n";
  for (int i = 0; i < 20000; ++i) {
    text += i % 11 == 0 ? "" : std::to_string(i * 7919 % 15013) + (i % 2 == 0 ? ".0" : "");
    text += ",a long label number " + std::to_string(i * 31 % 6007) + "," + std::to_string(i % 5) +
            "\n";
  }
  options.max_categories = 0;
  import(text);
  const Fingerprint all = read_summary(options.output).fingerprint;
  options.memory_limit = 400000;
  import(text);
  EXPECT_EQ(read_summary(options.output).fingerprint, all);
  options.max_categories = 100;
  import(text);
  const DatasetSummary grouped = read_summary(options.output);
  options.memory_limit = std::uint64_t{1} << 30;
  import(text);
  EXPECT_EQ(read_summary(options.output).fingerprint, grouped.fingerprint);
  EXPECT_EQ(grouped.attributes[1].labels.size(), 101U);
}

// A column that is left out is told of between the two passes over the text.
TEST_F(Import, NoticesThatItsInputChangesBetweenThePasses) {
  const auto table = [](int rows, int distinct) {
    std::string text = "a,b,same\n";
    for (int i = 0; i < rows; ++i) {
      text += std::to_string(i % distinct) + "," + std::to_string(i % 3) + ",1\n";
    }
    return text;
  };
  options.inputs = {write("t.csv", table(20000, 7))};
  for (const std::string& other : {table(20000, 5), table(20100, 7), table(19000, 7)}) {
    write("t.csv", table(20000, 7));
    const Report change = [&](Severity, const std::string& line) {
      if (line.find("ignored") != std::string::npos) write("t.csv", other);
    };
    EXPECT_EQ(message_of<IoError>([&] { import_tables(options, change); }),
              path("t.csv") + ": changed while it was read");
    EXPECT_FALSE(std::filesystem::exists(options.output));
  }
}

TEST_F(Import, RefusesMoreColumnsThanItHasMemoryFor) {
  options.memory_limit = std::uint64_t{16} << 20;
  const std::string says = "take more than 32 MiB";
  EXPECT_NE(failure<BadData>(std::string(20'000'000, ',') + "\n").find(says), std::string::npos);
  std::string arff = "@relation r\n";
  for (int i = 0; i < 20000; ++i) arff += "@attribute a" + std::to_string(i) + " numeric\n";
  EXPECT_NE(failure<BadData>(arff + "@data\n").find(says), std::string::npos);
  arff = "@relation r\n@attribute a {";
  for (int i = 0; i < 2'000'000; ++i) arff += std::to_string(i) + ",";
  EXPECT_NE(failure<BadData>(arff + "x}\n@data\n0\n").find(says), std::string::npos);
}

TEST_F(Import, SaysWhatManyColumnsTake) {
  std::string names = "c0", values = "0";
  for (int i = 1; i < 10000; ++i) {
    names += ",c" + std::to_string(i);
    values += "," + std::to_string(i % 3);
  }
  const std::string text = names + "\n" + values + "\n1" + values.substr(1) + "\n";
  options.memory_limit = std::uint64_t{16} << 20;
  try {
    import(text);
    FAIL();
  } catch (const BadData& error) {
    const std::string message = error.what();
    const std::size_t at = message.find("t.csv: has 10000 columns, which take about ");
    ASSERT_NE(at, std::string::npos) << message;
    const std::size_t number = message.rfind(' ') + 1;
    options.memory_limit = std::stoull(message.substr(number)) << 20;  // as it says
  }
  EXPECT_FALSE(std::filesystem::exists(options.output));
  import(text);
  EXPECT_TRUE(std::filesystem::exists(options.output));
}

TEST_F(Import, InfersWithoutWriting) {
  options.inputs = {write("t.csv", "a,b\n1,x\n2,y\n")};
  const Schema schema = infer_schema(options, report());
  EXPECT_EQ(schema.columns[1].kind, AttributeKind::nominal);
  EXPECT_FALSE(std::filesystem::exists(options.output));
  options.schema = parse_schema(to_toml(schema), "s.toml");
  EXPECT_EQ(to_toml(infer_schema(options, report())).find("ignored"), std::string::npos);
}

}  // namespace
}  // namespace atl::io::test
