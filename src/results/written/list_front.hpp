#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/eval/rule_set_scorer.hpp"
#include "src/rules/rule_set.hpp"

namespace atl {

/// The fittest list of at most so many rules.
struct ListFrontRow {
  RuleSet list;          ///< canonical
  RuleSetCounts counts;  ///< of the rows that were searched
  double training = 0;   ///< accuracy on them, weighted as the search weighs rows
  /// That of lists as long, each learnt without one of the inner folds, on the folds that they have
  /// not seen; nothing without folds.
  std::optional<double> unseen;
};

/// What a search for decision lists has found: size against error.
struct ListFront {
  std::vector<ListFrontRow> rows;  ///< longer lists later
  /// The longest that is at most half a standard error worse on unseen rows than the best there;
  /// without folds the best on all rows, the shortest of equals.
  std::size_t chosen = 0;
};

}  // namespace atl
