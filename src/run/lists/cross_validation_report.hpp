#pragma once

#include <string>

#include "src/run/lists/cross_validation.hpp"

namespace atl {

/// {"accuracy", "balanced_accuracy", "macro_f1", "kappa", "rules", "comparisons", "seconds",
/// "classes", "confusion", "folds": [{"repeat", "fold", "rules", "comparisons", "seconds", "rows",
/// "correct", "accuracy", "balanced_accuracy", "macro_f1", "kappa"}...]}: above of all rows of all
/// folds together, and means over the folds of rules and comparisons; seconds are summed.
std::string cross_validation_json(const CrossValidation& validation);
/// A line for each fold, and the means with their standard deviations.
std::string cross_validation_text(const CrossValidation& validation);

}  // namespace atl
