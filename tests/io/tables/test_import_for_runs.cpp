// What an import makes of columns that a run needs, or that nobody looks at.
#include "io/hdf5/dataset_file.hpp"
#include "io/tables/import.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

using Codes = std::vector<std::uint32_t>;
using Labels = std::vector<std::string>;

class ImportForRuns : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    options.output = path("t.h5");
  }
  void import(const std::string& text) {
    options.inputs = {write("t.csv", text)};
    reports.clear();
    import_tables(options, report());
  }
  Dataset data() const {
    return read_dataset(options.output, {.max_bins = 0, .attribute_bins = {}});
  }
  Codes codes(std::uint32_t attribute) const { return all_codes(data(), attribute); }
  template <typename Thrown>
  std::string failure(const std::string& text) {
    return message_of<Thrown>([&] { import(text); });
  }
  /// All warnings.
  std::string warning() const {
    std::string found;
    for (const std::string& text : reports) {
      if (text.rfind("warning: ", 0) == 0) found += text.substr(9);
    }
    return found;
  }

  ImportOptions options;
};

TEST_F(ImportForRuns, TakesTheNumbersOfAClassForItsClasses) {
  const auto classes = [&](const std::string& rows) {
    import("x,y\n" + rows);
    return data().attributes()[1].labels;
  };
  options.target = "y";
  options.nominal = {"y"};
  EXPECT_EQ(classes("1,0.0\n2,1.0\n3,0.0\n"), (Labels{"0.0", "1.0"})) << "one text each";
  EXPECT_EQ(classes("1,2\n2,1.0\n3,2.0\n4,1\n5,\n"), (Labels{"1", "2"}));
  EXPECT_EQ(data().attributes()[1].counts, (std::vector<std::uint64_t>{2, 2}));
  EXPECT_EQ(codes(1), (Codes{1, 0, 1, 0, missing_code}));
  EXPECT_EQ(classes("1,1\n2,1e0\n3,-0\n4,0\n5,2.50\n"), (Labels{"0", "1", "2.5"}));
  EXPECT_EQ(classes("1,007\n2,7\n3,7.0\n"), (Labels{"007", "7", "7.0"})) << "codes";
  EXPECT_EQ(classes("1,1\n2,1.0\n3,x\n"), (Labels{"1", "1.0", "x"}));
  EXPECT_EQ(classes("1,9007199254740993\n2,9007199254740992\n"),
            (Labels{"9007199254740992", "9007199254740993"}));
  EXPECT_EQ(classes("1,True\n2,true\n3,1\n"), (Labels{"1", "True", "true"}));
  options.target = "";
  EXPECT_EQ(classes("1,2\n2,2.0\n"), (Labels{"2", "2.0"})) << "no class";
  options.nominal = {};
  options.needed = {{.name = "y", .is_class = true}};
  EXPECT_EQ(classes("1,2\n2,2.0\n3,1\n"), (Labels{"1", "2"}));
}

TEST_F(ImportForRuns, TakesOrderedLabelsOfARunByTheirNumbers) {
  options.needed = {{.name = "y", .kind = AttributeKind::ordinal, .order = {"2", "1", "10"}}};
  import("x,y\n1,10.0\n2,2\n3,1e0\n4,2.0\n");
  EXPECT_EQ(data().attributes()[1].labels, (Labels{"2", "1", "10"}));
  EXPECT_EQ(codes(1), (Codes{2, 0, 1, 0}));
  EXPECT_NE(failure<BadCell>("x,y\n1,3\n").find("as the run says"), std::string::npos);
}

TEST_F(ImportForRuns, TakesCodesOfDigitsEDigitsForLabelsIfTwoAreOneNumber) {
  import("code,n\n10E1,0\n1E2,7\n3E2,1\n");
  EXPECT_EQ(data().attributes()[0].labels, (Labels{"10E1", "1E2", "3E2"}));
  EXPECT_NE(warning().find("'code' is taken as labels"), std::string::npos);
  for (const char* const rows : {"1E1,0\n1E2,7\n", "1E1,0\n10,7\n", "1.0E1,0\n10E0,7\n",
                                 "1e+01,0\n10e+00,7\n", "1E1,0\n1E1,7\n"}) {
    import(std::string("code,n\n") + rows);
    EXPECT_EQ(data().attributes()[0].name == "code" ? data().attributes()[0].kind
                                                    : AttributeKind::numeric,
              AttributeKind::numeric)
        << rows;
  }
}

TEST_F(ImportForRuns, LooksAtNoColumnThatNobodyNeeds) {
  options.only_needed = true;
  options.needed = {{.name = "x_len", .kind = AttributeKind::numeric, .required = true}};
  const std::string overlong(longest_text + 1, 'a');
  import("x_len,when,label\n5,2020-01-01,a\n30,2020-01-02 10:00," + overlong +
         "\n7,2020-01-01T10:00:60,a\n");
  EXPECT_EQ(data().rows(), 3U);
  ASSERT_EQ(data().attributes().size(), 1U);
  EXPECT_EQ(warning(), "");
  const std::string message = failure<BadData>("y,x_lem\n1,2\n");
  EXPECT_NE(message.find("column 'x_len' is missing"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'x_lem'"), std::string::npos) << message;
  options.needed = {{.name = "class"}};
  import("id\n1\n2\n3\n");  // the rows alone
  EXPECT_EQ(data().rows(), 3U);
  import("when\n2020-01-01\n2020-01-02 10:00\n");
  EXPECT_EQ(data().rows(), 2U);
}

TEST_F(ImportForRuns, LeavesExcludedColumnsOutIfTheyCannotBeRead) {
  options.excluded = {"when", "none of them"};
  const std::string overlong(longest_text + 1, 'a');
  for (const std::string& when :
       {std::string("2020-01-02 10:00"), std::string("2020-01-01T10:00:60")}) {
    import("x,when\n5,2020-01-01\n30," + when + "\n");
    ASSERT_EQ(data().attributes().size(), 1U) << when;
  }
  import("x,when\n5,2020-01-01\n30," + overlong + "\n");
  ASSERT_EQ(data().attributes().size(), 1U);
  import("x,when\n5,2020-01-01\n30,2020-01-02\n");
  EXPECT_EQ(data().attributes()[1].kind, AttributeKind::date) << "as without the option";
}

TEST_F(ImportForRuns, FoldsOneHotColumnsAgain) {
  options.only_needed = true;
  options.needed = {{.name = "color", .required = true}, {.name = "y", .is_class = true}};
  import("color_red,color_dark blue,n,y\nTrue,False,2,p\nFALSE,TRUE,3,q\n");
  EXPECT_EQ(data().attributes()[0].name, "color");
  EXPECT_EQ(data().attributes()[0].labels, (Labels{"dark blue", "red"}));
  EXPECT_EQ(codes(0), (Codes{1, 0}));
  import("color_red,color_green,n\n1,0,2\n");  // one row
  EXPECT_EQ(codes(0), (Codes{1}));
  const auto says = [&](const std::string& text, const std::string& expected) {
    const std::string message = failure<BadData>(text);
    EXPECT_NE(message.find(expected), std::string::npos) << message;
  };
  says("color_red,color_green\n1,0\n1,1\n", "2 of them in line 3 of");
  says("color_red,color_green\n0,0\n1,0\n", "0 of them in line 2 of");
  says("color_red,color_green\n1,0\n,1\n", "'color_red' has no value");
  says("color_red,color_green\n1,0\nmany,1\n", "'color_red' has 'many', expected yes or no");
  says("color_red,n\n1,0\n", "column 'color' is missing");
}

}  // namespace
}  // namespace atl::io::test
