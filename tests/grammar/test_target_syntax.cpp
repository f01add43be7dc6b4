#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/grammar/target_syntax.hpp"
#include "tests/core/message_of.hpp"

namespace atl {
namespace {

std::string said(const std::string& target) {
  return message_of([&] { expect_target_syntax(target); });
}

TEST(TargetSyntax, TakesWhatSomeDataMayHave) {
  for (const char* const target :
       {"a", "a=*", "a = x", "\"a b\" != \"x y\"", "a <= -1e5", "a in [1, 5]", "a not in [x, y]",
        "none", "mean(a)", "low mean(a b)", "quantile(a, 0.9)", "mean > 3"}) {
    EXPECT_NO_THROW(expect_target_syntax(target)) << target;
  }
}

TEST(TargetSyntax, RefusesTheRest) {
  EXPECT_EQ(said("a >"), "--target 'a >': found 'end of text', expected a value");
  EXPECT_EQ(
      said("a 5"),
      "--target 'a 5': found '5', expected = != < <= > >= in, not in, is missing or is known");
  EXPECT_EQ(said("a = x y"),
            "--target 'a = x y': found 'y', expected the end after one comparison");
  EXPECT_EQ(said("a not 5"), "--target 'a not 5': found '5', expected in");
  EXPECT_NE(said("median(a)").find("no function 'median'"), std::string::npos);
  EXPECT_THROW(expect_target_syntax("quantile(a, 2)"), UsageError);
  EXPECT_THROW(expect_target_syntax("mean()"), UsageError);
}

TEST(TargetSyntax, NamesTheAttribute) {
  EXPECT_EQ(target_attribute("\"a b\" > 3"), "a b");
  EXPECT_EQ(target_attribute("low mean(a b)"), "a b");
  EXPECT_EQ(target_attribute("> 3"), std::nullopt);
  EXPECT_TRUE(is_name_alone("\"a b\""));
  EXPECT_FALSE(is_name_alone("a=*"));
  EXPECT_FALSE(is_name_alone("none"));
}

}  // namespace
}  // namespace atl
