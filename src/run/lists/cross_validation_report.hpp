// What a cross-validation has found, for programs and for people.
#pragma once

#include <string>

#include "src/run/lists/cross_validation.hpp"

namespace atl {

/// {"accuracy", "balanced_accuracy", "macro_f1", "kappa", "log_loss", "brier", "auc", "rules",
/// "comparisons", "seconds", "classes", "confusion", "calibration": [{"from", "to", "rows",
/// "predicted", "right"}...], "folds": [{"repeat", "fold", "rules", "comparisons", "seconds",
/// "generations", "rows", "correct", "accuracy", ..., "auc"}...]}: above of all rows of all folds
/// together, but means over the folds of "auc", rules and comparisons; seconds are summed. Where it
/// was compared, "baselines" as baselines_json() has them. Where there are rows of classes that the
/// list of a fold has never seen, "unknown" of all folds and of each says how many.
std::string cross_validation_json(const CrossValidation& validation);
/// A line for each fold, the means with their standard deviations, the calibration of all rows, and
/// baselines_text() where it was compared. At most 80 columns.
std::string cross_validation_text(const CrossValidation& validation);
/// Was it compared, and has the tree a better log-loss or AUC than the list?
bool tree_tells_better(const CrossValidation& validation);
/// The line that tells of it when it is done.
std::string cross_validation_line(const CrossValidation& validation);

}  // namespace atl
