#pragma once

#include <cstddef>
#include <span>

#include "io/run_folder.hpp"
#include "islands/archipelago.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Writes rules.csv, rules.json and history.csv of a state, reports the best rules, or warns that
/// there is none and what was asked of them. Blocking, not collective.
/// @return how many rules
std::size_t write_results(const RunState& state, const Experiment& experiment,
                          const Dataset& dataset, Evaluator& evaluator,
                          const io::RunPaths& paths, const Report& report);

}  // namespace atl
