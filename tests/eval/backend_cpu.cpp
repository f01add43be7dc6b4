#include "tests/eval/backend.hpp"

namespace atl::test {

std::shared_ptr<Resident> load(const Dataset& dataset) {
  static ThreadPool pool(2);
  return make_cpu_device(pool)->load(dataset);
}
std::string backend_name() {
  return "cpu";
}

}  // namespace atl::test
