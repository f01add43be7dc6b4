#pragma once

#include <nlohmann/json.hpp>

#include "src/measures/confusion_matrix.hpp"
#include "src/measures/probability_figures.hpp"

namespace atl {

/// NaN is null.
nlohmann::ordered_json json_number(double value);

/// Adds accuracy, balanced_accuracy, macro_f1, kappa, log_loss, brier and auc.
void put_figures(nlohmann::ordered_json& record, const ConfusionMatrix& matrix,
                 const ProbabilityFigures& told);

}  // namespace atl
