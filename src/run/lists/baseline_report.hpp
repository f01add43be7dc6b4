#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/measures/confusion_matrix.hpp"
#include "src/run/lists/baseline_folds.hpp"

namespace atl {

/// The list of a fold and its baselines.
struct ComparedFold {
  std::uint32_t repeat = 0, fold = 0;  ///< from 0
  std::size_t rules = 0;
  const ConfusionMatrix& list;
  const ProbabilityFigures& told;           ///< of the list
  std::span<const BaselineFold> baselines;  ///< [baselines()]
};

/// A line for the list and one for each baseline: means over the folds, and what the list has
/// beyond the baseline: mean and standard deviation of the differences fold by fold. At most 80
/// columns.
std::string baselines_text(std::span<const ComparedFold> folds);

/// Is the tree's log-loss or AUC better than the list's, as means over the folds?
bool tree_tells_better(std::span<const ComparedFold> folds);

/// [{"learner", "size", "comparisons", "accuracy", "balanced_accuracy", "macro_f1", "kappa",
/// "log_loss", "brier", "auc", "list_gains": {"accuracy": {"mean", "deviation"},
/// "balanced_accuracy": {...}, "auc": {...}}, "folds": [{"repeat", "fold", "size", "comparisons",
/// "correct", "accuracy", ..., "auc"}]}]: figures of all rows of all folds together, but means over
/// the folds of "auc", sizes, comparisons and gains.
nlohmann::ordered_json baselines_json(std::span<const ComparedFold> folds);

}  // namespace atl
