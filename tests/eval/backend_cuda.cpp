#include "cuda/evaluator.hpp"
#include "tests/cuda/device.hpp"
#include "tests/eval/backend.hpp"
#include "tests/support/random.hpp"

namespace atl::test {

namespace {

/// Skips all tests where there is no device.
class NeedsDevice : public testing::Environment {
 public:
  void SetUp() override {
    const RandomTable table = random_table(1, 10, 2, false);
    const Dataset data = make_dataset(table.attributes, table.columns);
    on_device([&] { return cuda::make_evaluator(data, {}); });
  }
};
const testing::Environment* const needs_device = testing::AddGlobalTestEnvironment(new NeedsDevice);

}  // namespace

std::unique_ptr<Evaluator> make_backend(const Dataset& dataset) {
  return cuda::make_evaluator(dataset, {});
}
std::string backend_name() {
  return "cuda";
}

}  // namespace atl::test
