// The algorithms that there are; algorithms.cpp alone names them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"
#include "islands/archipelago/search.hpp"
#include "src/config/algorithm.hpp"
#include "src/grammar/island_grammars.hpp"

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

/// A search of its own kind. Arguments must outlive it.
using MakeSearch = std::unique_ptr<Search>(const Experiment& experiment, Resident& resident);

/// The rows that its islands look at, and not only count rules on: those of their samples. They
/// depend on sizes alone, and may be in any order and there several times.
using RowsLookedAt = std::vector<std::uint64_t>(const Experiment& experiment,
                                                const Dataset& dataset);

/// What the folder of an algorithm says of it.
struct AlgorithmParts {
  std::span<const AlgorithmKey> keys;
  AlgorithmTraits traits;
  MakeAlgorithms* make;          ///< of one that evolves single rules; else null
  MakeSearch* search = nullptr;  ///< of one that searches for lists; else null
  /// Null: it looks at none. One that has no teams need not say.
  RowsLookedAt* rows_looked_at = nullptr;
};

/// Every algorithm; the first is the default.
AlgorithmTable algorithms();
/// Those that search for this, their default first.
AlgorithmTable algorithms(const SearchKind& kind);
/// The search that the experiment's algorithm makes; one for lists has ListResults. Arguments must
/// outlive it.
/// @param grammars  of one that searches for rules
/// @throws UsageError for an unknown measure, or a class that cannot be learnt
std::unique_ptr<Search> make_search(const Experiment& experiment, const IslandGrammars& grammars,
                                    Resident& resident);
/// As the experiment's algorithm does.
MakeAlgorithms make_algorithms;
/// Of all islands, ascending, each once.
std::vector<std::uint64_t> rows_looked_at(const Experiment& experiment, const Dataset& dataset);

}  // namespace atl
