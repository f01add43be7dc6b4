#include <gtest/gtest.h>

#include "src/bench/table.hpp"

namespace atl {
namespace {

Table small_table() {
  return {"title\n",
          {{"name", "name", as_it_is, " {:<6}"},
           {"rows", "rows", as_it_is, "{:>5}"},
           bar,
           {"times.seconds", "ms", in_ms, "{:>7.1f}", "none"}}};
}

TEST(Tables, AlignFiguresUnderTheirHeadings) {
  const std::vector<Record> records = {
      {{"name", "one"}, {"rows", 12}, {"times", {{"seconds", 0.25}}}},
      {{"rows", 7}, {"times", {{"seconds", "slow"}}}},
      {{"name", "three"}}};
  EXPECT_EQ(text_of(small_table(), records),
            "title\n"
            " name   rows |     ms\n"
            " one      12 |  250.0\n"
            "           7 |   slow\n"
            " three       |   none\n");
}

TEST(Tables, MayBeSentences) {
  const Table table = {
      "", {{"rows", "", as_it_is, "{} rows\n"}, {"seconds", "", in_ms, "in {:.1f} ms"}}, nullptr};
  const std::vector<Record> records = {{{"rows", 3}, {"seconds", 0.5}}};
  EXPECT_EQ(text_of(table, records), "3 rows\nin 500.0 ms\n");
}

TEST(Tables, WithoutLinesAreLeftOut) {
  Table table = small_table();
  table.lines = [](std::span<const Record>) { return std::vector<Record>(); };
  EXPECT_EQ(text_of(table, std::vector<Record>(2)), "");
}

}  // namespace
}  // namespace atl
