#include <cstdlib>
#include <iostream>

#include "cuda/device/device.hpp"
#include "tests/cuda/device.hpp"
#include "tests/eval/backend.hpp"
#include "tests/support/random.hpp"

namespace atl::test {

namespace {

/// Ends the program as one whose tests are all skipped where there is no device and none is
/// required: gtest calls tests passed that it does not begin.
class NeedsDevice : public testing::Environment {
 public:
  void SetUp() override {
    const RandomTable table = random_table(1, 10, 2, false);
    const Dataset data = make_dataset(table.attributes, table.columns);
    try {
      cuda::make_device({})->load(data);
    } catch (const BackendUnavailable& error) {
      if (device_required()) throw;
      std::cout << "SKIPPED: " << error.what() << std::endl;
      std::exit(77);
    }
  }
};
const testing::Environment* const needs_device = testing::AddGlobalTestEnvironment(new NeedsDevice);

}  // namespace

std::shared_ptr<Resident> load(const Dataset& dataset) {
  static const std::shared_ptr<Device> device = cuda::make_device({});
  return device->load(dataset);
}
std::string backend_name() {
  return "cuda";
}

}  // namespace atl::test
