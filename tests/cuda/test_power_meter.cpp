#include <gtest/gtest.h>

#include "cuda/host/power_meter.hpp"

namespace atl::test {
namespace {

TEST(PowerMeter, HasNoReadingOfAGpuThatIsNotThere) {
  const cuda::PowerMeter meter("GPU-00000000-0000-0000-0000-000000000000");
  EXPECT_FALSE(meter.joules());
}

}  // namespace
}  // namespace atl::test
