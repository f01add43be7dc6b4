#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/transactions/basket_reader.hpp"
#include "io/transactions/fimi_reader.hpp"
#include "io/transactions/line_reader.hpp"
#include "io/transactions/other_texts.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

TEST(OtherTexts, FormsOfSpmf) {
  const auto what = [](const std::string& text) {
    return other_than_transactions(text).value_or("");
  };
  for (const char* sequences :
       {"1 -1 1 2 3 -1 1 3 -1 4 -1 3 6 -1 -2\n1 4 -1 3 -1 2 3 -1 1 5 -1 -2\n", "# c\n\n1 -1 -2",
        "<1> 1 2 -1 <2> 3 -1 -2\n", "1[3] 2[4] -1 -2 SUtility:7\n", "a b -1 c -1 -2\r\nd -1 -2\r\n",
        "@ITEM=-1=|\n1 -1 -2\n2 -1\n", "1 -1 -2\n2 -1 3 -"}) {
    EXPECT_TRUE(what(sequences).starts_with("has sequences as SPMF")) << sequences;
  }
  for (const char* utilities :
       {"3 5 1 2 4 6:30:1 3 5 10 6 5\n3 5 2 4:20:3 3 8 6\n", "1:3:3\n2 4:6:2 4\n",
        "1 2:3.5:1.5 2\n", "1 2:3:1 2:7\n", "3 5 1:30\n2:4\n", "1 2:3:1 -2\r\n1"}) {
    EXPECT_TRUE(what(utilities).starts_with("has utilities behind")) << utilities;
  }
  EXPECT_TRUE(what("1 2 #SUP: 3\n1 #SUP: 4\n").starts_with("has itemsets"));
  for (const char* transactions :
       {"", "1 2\n3\n", "10:30:00\n11:20:59\n", "5 10:30\n6 11:20\n", "a -1 -2\nb c\n",
        "# 1 -1 -2\n1 2\n", "-1 2\n-2\n", "1 2:3:1 2\n3 4\n", "1 2:3:1\n", "milk (2)\nbread (3)\n",
        "#SUP: 3\nmilk\n"}) {
    EXPECT_EQ(what(transactions), "") << transactions;
  }
}

TEST(OtherTexts, Beginnings) {
  EXPECT_TRUE(begins_as_arff("% c\n\n@RELATION r\n@attribute a {b}\n@data\n"));
  EXPECT_TRUE(begins_as_arff("@attribute a numeric\n"));
  EXPECT_FALSE(begins_as_arff("% c\n@rel\n1 2\n"));
  EXPECT_FALSE(begins_as_arff("@relation\nbob\n")) << "a basket";
  EXPECT_FALSE(begins_as_arff("@relationship,@attributes\n"));
  EXPECT_FALSE(begins_as_arff("1 2\n@attribute a numeric\n"));
  EXPECT_TRUE(begins_as_spmf("# c\n@ITEM=1=a\n1\n"));
  EXPECT_TRUE(begins_as_spmf("@CONVERTED_FROM_TEXT\n"));
  EXPECT_FALSE(begins_as_spmf("@bob\n@ITEM=1=a\n"));
  EXPECT_FALSE(begins_as_spmf("# c"));
}

TEST(Comments, AreCertain) {
  for (const char* comment : {"#", "# a", "#\ta", "##a", "% a", "%", "%%"}) {
    EXPECT_TRUE(is_comment(comment)) << comment;
  }
  for (const char* name : {"", "#1", "#a", "%a", "@", "@ a", " # a", "\"# a\""}) {
    EXPECT_FALSE(is_comment(name)) << name;
  }
  EXPECT_EQ(without_comments("# a\n\n% b\nc\n# d\n"), "c\n# d\n");
  EXPECT_EQ(without_comments("\nc\n"), "\nc\n");
  EXPECT_TRUE(looks_like_fimi("@CONVERTED_FROM_TEXT\n@ITEM=1=a\n1 2\n# c\n3\n"));
  EXPECT_TRUE(looks_like_fimi("% comment\n@rel\n1 2\n"));
  EXPECT_FALSE(looks_like_fimi("#1 #2\n3 4\n")) << "names";
  EXPECT_FALSE(looks_like_fimi("1 2\n@bob\n"));
  EXPECT_FALSE(looks_like_fimi("# a\n# b\n")) << "no number";
  EXPECT_FALSE(looks_like_fimi("#a\tb\n1\t2\n")) << "names of columns";
  EXPECT_TRUE(lists_numbers("# c\n1 2\n3\n"));
  EXPECT_EQ(lists_of_numbers("# c\n1 2\n3\nmilk\n"), 3U);
  EXPECT_FALSE(lists_numbers("@relation r\n@attribute a\n@data\n1 2\n3\n")) << "ARFF";
}

class CommentedTexts : public FolderTest {
 protected:
  std::string shown(const std::string& text, bool fimi) {
    reports.clear();
    const TransactionSet set = collected([&](TransactionSink& sink) {
      auto source = std::make_unique<StringSource>(text);
      return fimi ? read_fimi(std::move(source), "t", report(), sink)
                  : read_baskets(std::move(source), ',', "t", report(), sink);
    });
    std::string all;
    for (std::uint32_t t = 0; t < set.size(); ++t) {
      for (const std::uint32_t item : set.transaction(t)) all += set.name(item) + " ";
      all += "|";
    }
    return all;
  }
};

TEST_F(CommentedTexts, OfNumbers) {
  EXPECT_EQ(shown("# a\n\n1 2\n%b\n\n @c\n2\n", true), "1 2 ||2 |");
  EXPECT_EQ(reports,
            (std::vector<std::string>{"info: t: 3 lines passed over as comments (first line 1)",
                                      "info: t: 1 transaction without items"}));
  EXPECT_EQ(shown("\n1 2\n# c\n", true), "|1 2 |");
  EXPECT_THROW(shown("# a\n", true), BadData);
  EXPECT_EQ(shown("\n\n", true), "||");
}

TEST_F(CommentedTexts, NamesOfSpmf) {
  EXPECT_EQ(shown("@CONVERTED_FROM_TEXT\n@ITEM=1=apple\n@ITEM=2=a pear=b\n1 2\n1\n3 2 1\n", true),
            "apple \"a pear=b\" |apple |apple \"a pear=b\" 3 |");
  EXPECT_EQ(reports.back(), "info: t: 2 items named by lines of @ITEM=");
  const auto refused = [&](const std::string& text) {
    return message_of<BadData>([&] { shown(text, true); });
  };
  EXPECT_EQ(refused("@ITEM=1=a\n@ITEM=2=a\n1 2\n"),
            "t: two items have the name 'a' by lines of @ITEM=");
  EXPECT_EQ(refused("@ITEM=1=2\n1 2\n"), "t: two items have the name '2' by lines of @ITEM=");
  for (const char* bad :
       {"@ITEM=a=b", "@ITEM=1", "@ITEM=1=", "@ITEM=-1=|", "@ITEM=99999999999=a"}) {
    EXPECT_EQ(refused("1 2\n" + std::string(bad) + "\n"),
              "t:2:1: found '" + std::string(bad) +
                  "', expected @ITEM=NUMBER=NAME, once for each number");
  }
  EXPECT_TRUE(refused("@ITEM=1=a\n@ITEM=1=b\n1\n").starts_with("t:2:1:"));
}

TEST_F(CommentedTexts, OfNames) {
  EXPECT_EQ(shown("# a, b\n\n%\nmilk,bread\n\nbeer\n", false), "bread milk ||beer |");
  EXPECT_EQ(reports.front(), "info: t: 2 lines passed over as comments (first line 1)");
  EXPECT_EQ(shown("\nmilk\n", false), "|milk |");
  EXPECT_TRUE(reports.size() == 1) << "nothing of comments";
  EXPECT_EQ(shown("#1,@bob\n@bob\n#2,#1\n#1\n", false), "#1 @bob |@bob |#1 #2 |#1 |");
  EXPECT_TRUE(reports.empty()) << "most lines begin so";
  EXPECT_EQ(shown("@bob\nmilk\n# c\nbeer\n", false), "@bob |milk |\"# c\" |beer |");
  EXPECT_EQ(reports,
            (std::vector<std::string>{
                "warning: t: 1 transaction begins with # or % (line 3): comments are passed over "
                "before the first transaction alone; take out what is none"}));
  EXPECT_THROW(shown("# a\n# b\n", false), BadData);
}

}  // namespace
}  // namespace atl::io::test
