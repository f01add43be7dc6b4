#pragma once

#include <cstddef>
#include <span>

#include "io/run_folder.hpp"
#include "islands/archipelago.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Writes rules.csv, rules.json and history.csv of a state, reports the best rules, or says why
/// there is none. Blocking, not collective.
/// @param held_out  counts on the rows held out; null if there are none
/// @return how many rules
std::size_t write_results(const RunState& state, const Experiment& experiment,
                          const Dataset& dataset, Evaluator& evaluator, Evaluator* held_out,
                          const io::RunPaths& paths, const Report& report);

}  // namespace atl
