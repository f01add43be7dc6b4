#include "tests/eval/backend.hpp"

namespace atl::test {

std::shared_ptr<Resident> load(const Dataset& dataset) {
  return make_reference_device()->load(dataset);
}
std::string backend_name() {
  return "reference";
}

}  // namespace atl::test
