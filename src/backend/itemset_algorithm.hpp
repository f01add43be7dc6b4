// Which way itemsets are found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/exhaustive/pairs/pair_task.hpp"
#include "src/measures/measure.hpp"

namespace atl {

struct ItemsetAlgorithm {
  bool by_level = false;         ///< apriori
  bool pairs = false;            ///< all pairs are counted
  std::optional<PairForm> form;  ///< of pairs; none: by their densities

  bool depth_first() const noexcept { return !by_level && !pairs; }
};

/// What --algorithm and --representation say. All sets of two items are counted as pairs without
/// being told, which is faster (docs/notes/pairs.md); but a GPU that is asked for searches for
/// them.
/// @param limits   of the sets that are asked for; those of pairs afterwards
/// @param rules    are made of the sets
/// @param backend  that is asked for
/// @throws UsageError
ItemsetAlgorithm itemset_algorithm(const std::string& name, const std::string& representation,
                                   bool rules, const std::string& backend, ItemsetLimits& limits);

/// Rules of pairs, as CSV with these measures.
PairRulesParts pair_rules(const ItemsetRuleChoice& choice, const std::vector<Measure>& measures);

}  // namespace atl
