// The algorithms that there are; algorithms.cpp alone names them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"

namespace atl {

/// What an island searches by.
struct IslandAim {
  const Experiment* experiment = nullptr;  ///< one of Experiment::by_island()
  const BoundGrammar* grammar = nullptr;
};

/// The experiment's preset for each of these islands, which may have a thread each. What is heavy
/// they share and only read. Arguments must outlive them.
/// @throws UsageError for an unknown preset or measure
std::vector<std::unique_ptr<Algorithm>> make_algorithms(const Experiment& experiment,
                                                        std::span<const IslandAim> islands,
                                                        const Dataset& dataset);

}  // namespace atl
