// Which way itemsets are found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/exhaustive/itemsets/itemset_output.hpp"
#include "src/exhaustive/pairs/pair_task.hpp"
#include "src/measures/measure.hpp"

namespace atl {

/// The options that say how sets are found, as they were typed; empty ones are not given.
struct ItemsetWords {
  std::string algorithm, representation;
  std::string min_probability, probabilities, probability_column;
  std::string backend;
  bool rules = false;  ///< are made of the sets
};

struct ItemsetAlgorithm {
  bool by_level = false;         ///< apriori
  bool pairs = false;            ///< all pairs are counted
  std::optional<PairForm> form;  ///< of pairs; none: by their densities

  bool probabilistic = false;  ///< each transaction exists with a probability
  double min_probability = 0;  ///< then: in (0, 1]

  bool depth_first() const noexcept { return !by_level && !pairs && !probabilistic; }
};

/// What these options say. All sets of two items are counted as pairs without being told, which is
/// faster (docs/notes/pairs.md); but a GPU that is asked for searches for them.
/// @param limits  of the sets that are asked for; those of pairs afterwards
/// @throws UsageError
ItemsetAlgorithm itemset_algorithm(const ItemsetWords& words, ItemsetLimits& limits);

/// Rules of pairs, as CSV with these measures.
PairRulesParts pair_rules(const ItemsetRuleChoice& choice, const std::vector<Measure>& measures);

}  // namespace atl
