// The figures of a decision list that a person is told, from the counts of its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/eval/rule_set_scorer.hpp"
#include "src/measures/class_probabilities.hpp"
#include "src/measures/probability_figures.hpp"
#include "src/rules/rule_set.hpp"

namespace atl {

/// The fittest list of at most so many rules.
struct ListFrontRow {
  RuleSet list;  ///< canonical
  /// Accuracy on the rows that were searched, weighted as the search weighs rows; or log-loss, as
  /// the front says.
  double training = 0;
  /// The same figure of lists as long, each learnt without one of the inner folds, on the folds
  /// that they have not seen; nothing without folds.
  std::optional<double> unseen;
};

/// The lists that a search has found: size against error.
struct ListFront {
  bool log_loss = false;           ///< are its figures that, or accuracies?
  std::vector<ListFrontRow> rows;  ///< longer lists later
  /// The longest that is hardly worse on unseen rows than the best there (decision-lists.md);
  /// without folds the best on all rows, the shortest of equals.
  std::size_t chosen = 0;
  /// [rules + 1][classes] of the rows that were searched, what the chosen list decides
  std::vector<std::uint64_t> decided;
  Smoothing smoothing;  ///< of the chosen list's probabilities
};

/// Rows of a rule; those of its own class are correct.
struct ListRuleFigures {
  std::uint64_t covered = 0;  ///< whatever rules stand before it
  std::uint64_t covered_correct = 0;
  std::uint64_t decided = 0;  ///< of those, rows that no rule before it covers
  std::uint64_t decided_correct = 0;
  std::uint64_t decided_so_far = 0;  ///< by it and all before it
  std::uint64_t correct_so_far = 0;
  friend bool operator==(const ListRuleFigures&, const ListRuleFigures&) = default;
};

/// @param counts  of the list; classes beyond the list's own are never correct
/// @return [rules + 1] the default class's last, which covers every row
std::vector<ListRuleFigures> rule_figures(const RuleSet& list, const RuleSetCounts& counts);

/// @param decided        of the list, on any rows; classes beyond the probabilities' are unknown
/// @param probabilities  [rules + 1][classes]
ProbabilityFigures probability_figures(const RuleSet& list, std::span<const std::uint64_t> decided,
                                       std::span<const std::vector<double>> probabilities);

}  // namespace atl
