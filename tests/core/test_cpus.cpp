#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "src/core/cpus.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {
namespace {

TEST(Cpus, AreReadAndWrittenAsLinuxDoes) {
  EXPECT_EQ(parse_cpus("0-3,8,10-11"), (CpuList{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpus("5,1-2,2"), (CpuList{1, 2, 5}));
  EXPECT_EQ(parse_cpus(""), CpuList());
  for (const char* text : {"a", "1-", "-1", "3-1", "1,,2", "1 2", "0x1", "99999999"}) {
    EXPECT_FALSE(parse_cpus(text)) << text;
  }
  for (const char* text : {"", "0", "0-3,8,10-11", "1,3,5", "0-262143"}) {
    EXPECT_EQ(cpus_text(parse_cpus(text).value()), text);
  }
}

TEST(Cpus, Intersect) {
  EXPECT_EQ(intersection({0, 1, 2, 5}, {1, 3, 5}), (CpuList{1, 5}));
  EXPECT_EQ(intersection({0}, {1}), CpuList());
}

TEST(Cpus, NearADeviceAreThoseOfItsNode) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("atoll-cpus-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "0000:1b:00.0");
  std::ofstream(folder / "0000:1b:00.0" / "local_cpulist") << "0-1,4\n";
  EXPECT_EQ(cpus_near("0000:1b:00.0", folder.string()), (CpuList{0, 1, 4}));
  EXPECT_EQ(cpus_near("0000:1c:00.0", folder.string()), CpuList());
  std::filesystem::remove_all(folder);
}

TEST(Cpus, BindThreadsThatAreStartedFromThenOn) {
  std::thread([] {
    const CpuList before = allowed_cpus();
    ASSERT_FALSE(before.empty());
    ASSERT_TRUE(bind_to({before.back()}));
    EXPECT_EQ(allowed_cpus(), CpuList{before.back()});
    EXPECT_EQ(available_cpus(), 1U);
    CpuList inherited;
    std::thread([&] { inherited = allowed_cpus(); }).join();
    EXPECT_EQ(inherited, CpuList{before.back()});
    EXPECT_FALSE(bind_to({}));
    EXPECT_EQ(allowed_cpus(), CpuList{before.back()});
  }).join();
}

}  // namespace
}  // namespace atl
