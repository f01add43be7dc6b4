#include "src/app/backend.hpp"

#include "cuda/evaluator.hpp"
#include "src/core/error.hpp"

namespace atl {

void expect_backend(const std::string& name) {
  if (name == "auto" || name == "reference" || name == "cpu" || name == "cuda") return;
  throw UsageError("--backend: '" + printable(name) + "', expected auto, reference, cpu or cuda");
}

std::unique_ptr<Evaluator> make_evaluator(const std::string& backend, const Dataset& dataset,
                                          ThreadPool& pool) {
  expect_backend(backend);
  if (backend == "reference") return make_reference_evaluator(dataset);
  if (backend == "cuda") return cuda::make_evaluator(dataset, {});
  return make_cpu_evaluator(dataset, pool);
}

}  // namespace atl
