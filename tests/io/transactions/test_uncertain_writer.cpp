#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/transactions/uncertain_writer.hpp"

namespace atl::io::test {
namespace {

const std::vector<std::string> uncertain_names = {"bread", "\"red wine, dry\"", "=1+1", "odor=n"};

std::string uncertain_text(UncertainForm form, bool any) {
  std::string text;
  const auto writer =
      make_uncertain_writer(form, uncertain_names, [&](std::string_view piece) { text += piece; });
  if (any) {
    writer->add(2);
    writer->found({0.75, 3, 2.0, 0.5});
    writer->add(1);
    writer->found({1.0, 2, 0.1, 0});
    writer->remove();
    writer->remove();
    writer->add(3);
    writer->add(0);
    writer->found({0.1234567896, 4294967295U, 1e10, 0});
  }
  writer->finish();
  return text;
}

TEST(UncertainWriter, WritesLines) {
  EXPECT_EQ(uncertain_text(UncertainForm::lines, true),
            "=1+1 (0.750000000)\n"
            "=1+1 \"red wine, dry\" (1.000000000)\n"
            "odor=n bread (0.123456790)\n");
  EXPECT_EQ(uncertain_text(UncertainForm::lines, false), "");
}

TEST(UncertainWriter, WritesCsv) {
  const std::string header = "items,length,probability,expected_support,variance,transactions\n";
  EXPECT_EQ(uncertain_text(UncertainForm::csv, true),
            header +
                "'=1+1,1,0.750000000,2,0.5,3\n"
                "\"'=1+1 AND \"\"red wine, dry\"\"\",2,1.000000000,0.1,0,2\n"
                "\"odor=n AND bread\",2,0.123456790,10000000000,0,4294967295\n");
  EXPECT_EQ(uncertain_text(UncertainForm::csv, false), header);
}

TEST(UncertainWriter, WritesJson) {
  EXPECT_EQ(uncertain_text(UncertainForm::json, true),
            "[\n"
            "{\"items\": [\"=1+1\"], \"probability\": 0.750000000, \"expected_support\": 2, "
            "\"variance\": 0.5, \"transactions\": 3},\n"
            "{\"items\": [\"=1+1\", \"red wine, dry\"], \"probability\": 1.000000000, "
            "\"expected_support\": 0.1, \"variance\": 0, \"transactions\": 2},\n"
            "{\"items\": [\"odor=n\", \"bread\"], \"probability\": 0.123456790, "
            "\"expected_support\": 10000000000, \"variance\": 0, \"transactions\": 4294967295}\n"
            "]\n");
  EXPECT_EQ(uncertain_text(UncertainForm::json, false), "[\n]\n");
}

TEST(UncertainWriter, RoundsToNineDecimals) {
  for (const auto& [probability, text] : {std::pair{1.0, "1.000000000"},
                                          {0.9999999994, "0.999999999"},
                                          {0.9999999996, "1.000000000"},
                                          {1e-300, "0.000000000"},
                                          {5e-10, "0.000000001"},
                                          {4e-10, "0.000000000"}}) {
    std::string all;
    const auto writer = make_uncertain_writer(UncertainForm::lines, uncertain_names,
                                              [&](std::string_view piece) { all += piece; });
    writer->add(0);
    writer->found({probability, 1, 1, 0});
    writer->finish();
    EXPECT_EQ(all, std::string("bread (") + text + ")\n");
  }
}

TEST(UncertainWriter, WritesPiecesAsTheyCome) {
  std::string all;
  std::size_t pieces = 0, longest = 0;
  const auto writer =
      make_uncertain_writer(UncertainForm::json, uncertain_names, [&](std::string_view piece) {
        all += piece;
        ++pieces;
        longest = std::max(longest, piece.size());
      });
  writer->add(0);
  for (int i = 0; i < 10000; ++i) writer->found({0.5, 1, 1, 0});
  writer->finish();
  EXPECT_GT(pieces, 3U);
  EXPECT_LT(longest, std::size_t{300} << 10);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 10002);
}

TEST(UncertainWriter, TakesTheFormOfTheName) {
  EXPECT_EQ(uncertain_form("a/sets.csv"), UncertainForm::csv);
  EXPECT_EQ(uncertain_form("sets.json"), UncertainForm::json);
  for (const char* const name : {"-", "", "sets.txt", "csv", "sets.CSV", "sets.csv.gz"}) {
    EXPECT_EQ(uncertain_form(name), UncertainForm::lines) << name;
  }
}

}  // namespace
}  // namespace atl::io::test
