#include "cuda/evaluator.hpp"
#include "tests/eval/backend.hpp"

namespace atl::test {

std::unique_ptr<Evaluator> make_backend(const Dataset& dataset) {
  return cuda::make_evaluator(dataset, {});
}
std::string backend_name() {
  return "cuda";
}

}  // namespace atl::test
