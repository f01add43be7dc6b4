#pragma once

#include <memory>
#include <string>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/evaluator.hpp"

namespace atl {

/// @throws UsageError if it is none of auto, reference, cpu and cuda
void expect_backend(const std::string& name);

/// "auto" is "cpu", so far. Arguments must outlive it. The CPU evaluator alone needs the pool.
/// @throws UsageError for another name, BackendUnavailable
std::unique_ptr<Evaluator> make_evaluator(const std::string& backend, const Dataset& dataset,
                                          ThreadPool& pool);

}  // namespace atl
