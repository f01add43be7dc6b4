#include "src/run/lists/figures_json.hpp"

#include <cmath>

namespace atl {

nlohmann::ordered_json json_number(double value) {
  return std::isnan(value) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

void put_figures(nlohmann::ordered_json& record, const ConfusionMatrix& matrix,
                 const ProbabilityFigures& told) {
  record["accuracy"] = json_number(accuracy(matrix));
  record["balanced_accuracy"] = json_number(balanced_accuracy(matrix));
  record["macro_f1"] = json_number(macro_f1(matrix));
  record["kappa"] = json_number(kappa(matrix));
  record["log_loss"] = json_number(told.log_loss);
  record["brier"] = json_number(told.brier);
  record["auc"] = json_number(told.auc);
}

}  // namespace atl
