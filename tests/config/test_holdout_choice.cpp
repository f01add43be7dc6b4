#include <gtest/gtest.h>

#include "src/config/holdout_choice.hpp"
#include "src/core/error.hpp"

namespace atl::test {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    parse_row_numbers(text, "rows.txt");
  } catch (const BadData& error) {
    return error.what();
  }
  return "";
}

TEST(HoldoutChoice, ThreeFormsAreToldApart) {
  EXPECT_EQ(HoldoutChoice::parse("0.3").share, 0.3);
  EXPECT_EQ(HoldoutChoice::parse("30%").share, 0.3);
  EXPECT_TRUE(HoldoutChoice::parse("0").none());
  for (const char* condition : {"split = test", "year>2015", "age in [1, 5]", "a is missing",
                                "\"a b\" != c", "a is known", "a is mising"}) {
    EXPECT_EQ(HoldoutChoice::parse(condition).condition, condition);
  }
  for (const char* file :
       {"rows.txt", "./0.3", "is missing.txt", "what is this.txt", "0.3x", "rows 1-3"}) {
    EXPECT_EQ(HoldoutChoice::parse(file).file, file);
  }
  for (const char* wrong : {"1.5", "-1", "", "  "}) {
    EXPECT_THROW(HoldoutChoice::parse(wrong), UsageError) << wrong;
  }
}

TEST(HoldoutChoice, ASettingReadsBack) {
  for (const char* text : {"0.3", "split = test", "rows 1-3,7,9-10", "rows 5"}) {
    EXPECT_EQ(HoldoutChoice::parse_setting(text).text(), text);
  }
  for (const char* wrong : {"rows ", "rows 0", "rows 3-1", "rows 1,2", "rows 5,1", "rows 1,1",
                            "rows 1-", "rows 1, 3", "rows 99999999999999999999"}) {
    EXPECT_THROW(HoldoutChoice::parse_setting(wrong), UsageError) << wrong;
  }
  EXPECT_EQ(HoldoutChoice::parse_setting("rows 1-3").summary(), "rows 1-3");
  std::string many = "rows 1";
  for (int row = 3; row < 100; row += 2) many += "," + std::to_string(row);
  const std::string summary = HoldoutChoice::parse_setting(many).summary();
  EXPECT_TRUE(summary.starts_with("50 rows of a file (")) << summary;
}

TEST(HoldoutChoice, RowNumbersMayComeInAnyOrder) {
  using Rows = std::vector<RowRun>;
  EXPECT_EQ(parse_row_numbers("7\n1\n\n3\r\n 2 \n9", "f"), (Rows{{1, 3}, {7, 7}, {9, 9}}));
  EXPECT_EQ(parse_row_numbers("row\n4\n", "f"), (Rows{{4, 4}}));
  EXPECT_EQ(refusal_of("row\n"), "rows.txt: no numbers of rows");
  EXPECT_EQ(refusal_of("2\n1\n2\n"), "rows.txt: row 2 is there twice");
  for (const char* wrong : {"0\n", "-1\n", "1.5\n", "x\n", "1,2\n", "1\nrow\n"}) {
    EXPECT_NE(refusal_of(wrong).find("expected the number of a row, the first of which is 1"),
              std::string::npos)
        << refusal_of(wrong);
  }
  EXPECT_TRUE(refusal_of("1\n\n x\n").starts_with("rows.txt:3:2: ")) << refusal_of("1\n\n x\n");
}

}  // namespace
}  // namespace atl::test
