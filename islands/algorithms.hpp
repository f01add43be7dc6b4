// The algorithms that there are; algorithms.cpp alone names them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"
#include "src/config/algorithm.hpp"

namespace atl {

/// What an island searches by.
struct IslandAim {
  const Experiment* experiment = nullptr;  ///< one of Experiment::by_island()
  const BoundGrammar* grammar = nullptr;
};

/// One algorithm for each of these islands, which may have a thread each. What is heavy they share
/// and only read. Arguments must outlive them.
/// @param experiment  of all islands
/// @throws UsageError for an unknown measure
using MakeAlgorithms = std::vector<std::unique_ptr<Algorithm>>(const Experiment& experiment,
                                                               std::span<const IslandAim> islands,
                                                               Resident& resident);

/// What the folder of an algorithm says of it.
struct AlgorithmParts {
  std::span<const AlgorithmKey> keys;
  AlgorithmTraits traits;
  MakeAlgorithms* make;
};

/// Every algorithm; the first is the default.
AlgorithmTable algorithms();
/// As the experiment's algorithm does.
MakeAlgorithms make_algorithms;

}  // namespace atl
