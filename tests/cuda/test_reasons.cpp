#include <gtest/gtest.h>

#include "cuda/host/reasons.hpp"

namespace atl::cuda {
namespace {

TEST(Reasons, OfDrivers) {
  EXPECT_EQ(driver_reason(0, 13000), "there is no NVIDIA driver here");
  EXPECT_EQ(driver_reason(12020, 13000),
            "the NVIDIA driver is too old, it has CUDA 12.2, this atoll needs 13.0; install a "
            "newer one");
}

TEST(Reasons, OfNoDevice) {
  EXPECT_EQ(no_device_reason(nullptr), "the driver finds no GPU");
  EXPECT_EQ(no_device_reason("7"), "CUDA_VISIBLE_DEVICES is '7', which leaves no GPU");
  EXPECT_EQ(no_device_reason("a\nb"), "CUDA_VISIBLE_DEVICES is 'a\\x0ab', which leaves no GPU");
}

TEST(Reasons, OfCodeThatIsNotThere) {
  EXPECT_EQ(code_reason("Tesla T4", "7.5"),
            "this atoll has no code for Tesla T4, of compute capability 7.5; build it with "
            "-DCMAKE_CUDA_ARCHITECTURES=75");
}

TEST(Reasons, OfMemory) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  EXPECT_EQ(memory_reason(12 * gib + gib / 2, 512, 80 * gib),
            "out of device memory: 12.5 GiB more needed, 512 bytes of 80.0 GiB free; give it less "
            "with --device-memory SIZE");
  EXPECT_EQ(memory_reason(1024, 3 << 20, 2048 * gib),
            "out of device memory: 1.0 KiB more needed, 3.0 MiB of 2.0 TiB free; give it less "
            "with --device-memory SIZE");
}

TEST(Reasons, OfNccl) {
  EXPECT_EQ(nccl_version_reason(2708), "NCCL 2.14 is needed, found 2.7");
  EXPECT_EQ(nccl_version_reason(21304), "NCCL 2.14 is needed, found 2.13");
  EXPECT_EQ(nccl_version_reason(0), "the library that was found is not NCCL");
  EXPECT_EQ(nccl_missing_reason("libnccl.so.2: no such file"),
            "NCCL is not installed here, or not in LD_LIBRARY_PATH: libnccl.so.2: no such file");
}

}  // namespace
}  // namespace atl::cuda
