#include "tests/eval/backend.hpp"

namespace atl::test {

std::unique_ptr<Evaluator> make_backend(const Dataset& dataset) {
  return make_reference_evaluator(dataset);
}
std::string backend_name() {
  return "reference";
}

}  // namespace atl::test
