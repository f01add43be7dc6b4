#pragma once

#include <memory>

#include "src/eval/evaluator.hpp"

namespace atl::cuda {

/// @throws BackendUnavailable if this program was built without it or no device answers
std::unique_ptr<Evaluator> make_evaluator(const Dataset& dataset);

}  // namespace atl::cuda
