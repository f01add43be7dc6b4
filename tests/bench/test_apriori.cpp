// How records of the level-wise search are shown, made up here.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/bench/apriori_report.hpp"

namespace atl {
namespace {

AprioriRecord gpu_record(std::size_t figure) {
  AprioriRecord record;
  record.paper = &apriori_figures[figure];
  record.items = 100;
  record.candidates = 4950;
  record.backend = "cuda";
  record.device.emplace();
  record.device->name = "Some GPU";
  record.counting = {{8e-3, 8e-3, 5}, 2e-3, 1.5e-3};
  record.generation = {{4e-3, 4e-3, 5}, 1e-3, 0.5e-3};
  record.one_core = {0.3e-3, 0.3e-3, 5};
  record.ours = Timing{0.2e-3, 0.2e-3, 5};
  record.kernel = 0.1e-3;
  record.words_per_second = 1e12;
  record.popcounts_per_second = 4e12;
  return record;
}

TEST(AprioriTables, HaveTheirThreeVariantsAndThePaper) {
  const std::string text = apriori_tables({gpu_record(0), gpu_record(1)});
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
  AprioriRecord record = gpu_record(2);
  record.counting.plain.reset();
  record.words_per_second.reset();
  record.ours.reset();
  const std::string text = apriori_tables({record});
  EXPECT_NE(text.find("|         8   no data       1.5 |  no data     16.1\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("|     no data  no data  no data\n"), std::string::npos) << text;
}

TEST(AprioriJson, HasThePublishedBesideOurs) {
  const auto json = nlohmann::json::parse(apriori_json({gpu_record(0), gpu_record(1)}));
  ASSERT_EQ(json.size(), 4U);
  EXPECT_EQ(json[0]["published"]["slower"], true);
  EXPECT_DOUBLE_EQ(json[2]["published"]["saved"], 0.201);
  EXPECT_DOUBLE_EQ(json[2]["saved"], 0.25);
  EXPECT_DOUBLE_EQ(json[3]["published"]["saved"], 0.32);
  EXPECT_DOUBLE_EQ(json[3]["ours"]["kernel_seconds"], 0.1e-3);
}

}  // namespace
}  // namespace atl
