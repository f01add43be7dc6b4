#include "src/run/lists/cross_validation_report.hpp"

#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

/// NaN is null.
Json number(double value) {
  return std::isnan(value) ? Json(nullptr) : Json(value);
}

void put_figures(Json& record, const ConfusionMatrix& matrix) {
  record["accuracy"] = number(accuracy(matrix));
  record["balanced_accuracy"] = number(balanced_accuracy(matrix));
  record["macro_f1"] = number(macro_f1(matrix));
  record["kappa"] = number(kappa(matrix));
}

struct Spread {
  double mean = 0, deviation = 0;  // of the sample
};

Spread spread(const CrossValidation& validation,
              const std::function<double(const FoldResult&)>& value) {
  Spread spread;
  const auto folds = static_cast<double>(validation.folds.size());
  for (const FoldResult& fold : validation.folds) spread.mean += value(fold) / folds;
  for (const FoldResult& fold : validation.folds) {
    const double off = value(fold) - spread.mean;
    spread.deviation += off * off;
  }
  spread.deviation = folds > 1 ? std::sqrt(spread.deviation / (folds - 1)) : 0;
  return spread;
}

double rules_of(const FoldResult& fold) {
  return static_cast<double>(fold.rules);
}
double comparisons_of(const FoldResult& fold) {
  return static_cast<double>(fold.comparisons);
}
double seconds_of(const FoldResult& fold) {
  return fold.seconds;
}

}  // namespace

std::string cross_validation_json(const CrossValidation& validation) {
  Json record;
  put_figures(record, validation.matrix);
  record["rules"] = spread(validation, rules_of).mean;
  record["comparisons"] = spread(validation, comparisons_of).mean;
  record["seconds"] =
      spread(validation, seconds_of).mean * static_cast<double>(validation.folds.size());
  record["classes"] = validation.classes;
  record["confusion"] = Json::array();
  for (std::size_t actual = 0; actual < validation.classes.size(); ++actual) {
    Json row = Json::array();
    for (std::size_t predicted = 0; predicted < validation.classes.size(); ++predicted) {
      row.push_back(validation.matrix.at(actual, predicted));
    }
    record["confusion"].push_back(std::move(row));
  }
  record["folds"] = Json::array();
  for (const FoldResult& fold : validation.folds) {
    Json one = {
        {"repeat", fold.repeat + 1},       {"fold", fold.fold + 1},   {"rules", fold.rules},
        {"comparisons", fold.comparisons}, {"seconds", fold.seconds}, {"rows", fold.matrix.rows()},
        {"correct", fold.matrix.correct()}};
    put_figures(one, fold.matrix);
    record["folds"].push_back(std::move(one));
  }
  return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string cross_validation_text(const CrossValidation& validation) {
  std::string text = fmt::format("{:>6}  {:>4}  {:>5}  {:>11}  {:>9}  {:>13}  {:>7}\n", "repeat",
                                 "fold", "rules", "comparisons", "right", "mean recall", "seconds");
  for (const FoldResult& fold : validation.folds) {
    text += fmt::format("{:>6}  {:>4}  {:>5}  {:>11}  {:>8.2f}%  {:>12.2f}%  {:>7.1f}\n",
                        fold.repeat + 1, fold.fold + 1, fold.rules, fold.comparisons,
                        100 * accuracy(fold.matrix), 100 * balanced_accuracy(fold.matrix),
                        fold.seconds);
  }
  const auto rules = spread(validation, rules_of), comparisons = spread(validation, comparisons_of);
  const auto right = spread(validation, [](const auto& fold) { return accuracy(fold.matrix); });
  const auto recall =
      spread(validation, [](const auto& fold) { return balanced_accuracy(fold.matrix); });
  const auto seconds = spread(validation, seconds_of);
  text +=
      fmt::format("{:>12}  {:>5.1f}  {:>11.1f}  {:>8.2f}%  {:>12.2f}%  {:>7.1f}\n", "mean",
                  rules.mean, comparisons.mean, 100 * right.mean, 100 * recall.mean, seconds.mean);
  text += fmt::format("{:>12}  {:>5.1f}  {:>11.1f}  {:>8.2f}   {:>12.2f}   {:>7.1f}\n", "deviation",
                      rules.deviation, comparisons.deviation, 100 * right.deviation,
                      100 * recall.deviation, seconds.deviation);
  return text;
}

}  // namespace atl
