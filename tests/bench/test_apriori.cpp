// How figures of the level-wise search are shown, made up here.
#include <gtest/gtest.h>

#include "src/bench/apriori.hpp"

namespace atl {
namespace {

Record gpu_record(std::size_t size, int figure) {
  Record record = {{"figure", figure},
                   {"transactions", apriori_figures[size].transactions},
                   {"items", 100},
                   {"candidates", 4950},
                   {"backend", "cuda"}};
  add_step(record, figure == 7 ? AprioriStep{8e-3, 2e-3, 1.5e-3} : AprioriStep{4e-3, 1e-3, 0.5e-3});
  record["published"] = published_saving(apriori_figures[size], figure);
  record["ours"] = {{"one_core_seconds", 0.3e-3},
                    {"seconds", 0.2e-3},
                    {"kernel_seconds", 0.1e-3},
                    {"words_per_s", 1e12},
                    {"popcount_words_per_s", 4e12}};
  return record;
}

std::string text_of(const std::vector<Record>& records) {
  std::string text;
  for (const Table& table : apriori_tables()) text += text_of(table, records);
  return text;
}

TEST(AprioriTables, HaveTheirThreeVariantsAndThePaper) {
  const std::string text =
      text_of({gpu_record(0, 7), gpu_record(0, 8), gpu_record(1, 7), gpu_record(1, 8)});
  EXPECT_NE(
      text.find("        1000    100        4950 |         8         2       1.5 |     25.0   "
                "slower\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("|         4         1       0.5 |     50.0     32.0\n"), std::string::npos)
      << text;
  // 2 ms of both improved kernels in 0.1 ms of ours.
  EXPECT_NE(text.find("|       0.3       0.2       0.1 |       1e+12     25.0     20.0\n"),
            std::string::npos)
      << text;
}

TEST(AprioriTables, SayWhereThereIsNoData) {
  Record counting = gpu_record(2, 7), generation = gpu_record(2, 8);
  counting.erase("plain_seconds");
  counting.erase("saved");
  generation["ours"].erase("words_per_s");
  generation["ours"].erase("seconds");
  const std::string text = text_of({counting, generation});
  EXPECT_NE(text.find("|         8   no data       1.5 |  no data     16.1\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("|     no data  no data  no data\n"), std::string::npos) << text;
}

TEST(AprioriRecords, HaveThePublishedBesideOurs) {
  EXPECT_EQ(gpu_record(0, 7)["published"]["slower"], true);
  EXPECT_DOUBLE_EQ(gpu_record(1, 7)["published"]["saved"], 0.201);
  EXPECT_DOUBLE_EQ(gpu_record(1, 8)["published"]["saved"], 0.32);
  EXPECT_DOUBLE_EQ(gpu_record(1, 7)["saved"], 0.25);
  Record without_gpu;
  add_step(without_gpu, {8e-3, {}, {}});
  EXPECT_FALSE(without_gpu.contains("saved"));
}

}  // namespace
}  // namespace atl
