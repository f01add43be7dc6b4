#include <cstdlib>
#include <regex>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "cuda/device/handles.hpp"
#include "cuda/device/visible_devices.hpp"
#include "src/core/error.hpp"

namespace atl::test {

void launch_trap();  // trap.cu

}  // namespace atl::test

namespace atl::cuda {
namespace {

class Devices : public testing::Test {
 protected:
  void SetUp() override {
    try {
      devices_ = visible_devices();
      open_device(devices_.front());
    } catch (const BackendUnavailable& error) {
      const char* const required = std::getenv("ATOLL_REQUIRE_GPU");
      if (required != nullptr && std::string_view(required) == "1") throw;
      GTEST_SKIP() << error.what();
    }
  }

  std::vector<cuda::VisibleDevice> devices_;
};

bool matches(const std::string& text, const char* pattern) {
  return std::regex_match(text, std::regex(pattern));
}

TEST_F(Devices, AreDescribed) {
  std::set<std::string> uuids;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    const cuda::VisibleDevice& device = devices_[i];
    EXPECT_EQ(device.number, static_cast<int>(i));
    EXPECT_FALSE(device.name.empty());
    EXPECT_TRUE(matches(device.uuid, "GPU(-[0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}"))
        << device.uuid;
    EXPECT_TRUE(uuids.insert(device.uuid).second) << device.uuid;
    EXPECT_TRUE(matches(device.pci_bus_id, "[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.0"))
        << device.pci_bus_id;
    EXPECT_GT(device.memory, std::uint64_t{1} << 30);
    for (const std::string& version : {device.capability, device.driver, device.runtime}) {
      EXPECT_TRUE(matches(version, "[0-9]+\\.[0-9]")) << version;
    }
  }
}

TEST_F(Devices, TellHowMuchMemoryIsFree) {
  EXPECT_LT(free_memory(), devices_.front().memory);
  const std::uint64_t before = free_memory();
  constexpr std::uint64_t bytes = std::uint64_t{256} << 20;
  DeviceBuffer<std::uint8_t> buffer;
  buffer.reserve(bytes);
  EXPECT_LE(free_memory(), before - bytes);
}

TEST_F(Devices, SayHowMuchMemoryIsMissingAndGoOn) {
  DeviceBuffer<std::uint8_t> buffer;
  try {
    buffer.reserve(std::size_t{1} << 50);
    FAIL() << "a pebibyte";
  } catch (const BackendUnavailable& error) {
    EXPECT_TRUE(matches(error.reason,
                        "out of device memory: 1024\\.0 TiB more needed, .* GiB of .* GiB free; "
                        "give it less with --device-memory SIZE"))
        << error.reason;
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  buffer.reserve(1024);
  EXPECT_NE(buffer.data(), nullptr);
}

TEST_F(Devices, MisusedAreABugOfOurs) {
  EXPECT_THROW(check(cudaMemset(nullptr, 0, 16)), InternalError);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

// The last one: it leaves nothing to the process.
TEST_F(Devices, ThatFailAreGoneForTheProcess) {
  test::launch_trap();
  EXPECT_THROW(check(cudaDeviceSynchronize()), DeviceFailed);
  DeviceBuffer<std::uint8_t> buffer;
  EXPECT_THROW(buffer.reserve(1024), DeviceFailed);
}

}  // namespace
}  // namespace atl::cuda
