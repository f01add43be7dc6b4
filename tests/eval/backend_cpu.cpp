#include "tests/eval/backend.hpp"

namespace atl::test {

std::unique_ptr<Evaluator> make_backend(const Dataset& dataset) {
  static ThreadPool pool(2);
  return make_cpu_evaluator(dataset, pool);
}
std::string backend_name() {
  return "cpu";
}

}  // namespace atl::test
