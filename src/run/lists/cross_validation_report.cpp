#include "src/run/lists/cross_validation_report.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/text/near_names.hpp"
#include "src/run/lists/baseline_report.hpp"
#include "src/run/lists/figures_json.hpp"
#include "src/run/lists/fold_means.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;

ProbabilityFigures of_all_folds(const CrossValidation& validation) {
  std::vector<ProbabilityFigures> folds;
  for (const FoldResult& fold : validation.folds) folds.push_back(fold.told);
  return together(folds);
}

/// Those of the folds that were compared. @return they refer to the validation
std::vector<ComparedFold> compared(const CrossValidation& validation) {
  std::vector<ComparedFold> folds;
  for (const FoldResult& fold : validation.folds) {
    if (fold.baselines.empty()) continue;
    folds.push_back({fold.repeat, fold.fold, fold.rules, fold.matrix, fold.told, fold.baselines});
  }
  return folds;
}

/// Of the table for people.
struct FoldColumn {
  const char* heading;
  int width;
  double (*value)(const FoldResult&);
  int digits;       ///< of a fold's value
  int mean_digits;  ///< of means and deviations
  bool percent = false;
};

constexpr FoldColumn fold_columns[] = {
    {"rules", 5, [](const FoldResult& of) { return static_cast<double>(of.rules); }, 0, 1},
    {"comparisons", 11, [](const FoldResult& of) { return static_cast<double>(of.comparisons); }, 0,
     1},
    {"right", 7, [](const FoldResult& of) { return 100 * accuracy(of.matrix); }, 2, 2, true},
    {"mean recall", 11, [](const FoldResult& of) { return 100 * balanced_accuracy(of.matrix); }, 2,
     2, true},
    {"log-loss", 8, [](const FoldResult& of) { return of.told.log_loss; }, 4, 4},
    {"Brier", 6, [](const FoldResult& of) { return of.told.brier; }, 4, 4},
    {"AUC", 6, [](const FoldResult& of) { return of.told.auc; }, 4, 4},
    {"seconds", 7, [](const FoldResult& of) { return of.seconds; }, 1, 1},
};

/// @param unit  of a column of percentages
std::string fold_cell(const FoldColumn& column, double value, int digits, const char* unit) {
  const std::string text =
      std::isnan(value) ? "" : fmt::format("{:.{}f}{}", value, digits, column.percent ? unit : "");
  return fmt::format(" {:>{}}", text, column.width);
}

std::string percent_of(double share) {
  return fmt::format("{:.2f}%", 100 * share);
}

/// Bins that have rows, a line each.
std::string calibration_text(const std::vector<CalibrationBin>& bins) {
  std::string text =
      fmt::format("{:<12} {:>9} {:>10} {:>8}\n", "probability", "rows", "predicted", "right");
  for (const CalibrationBin& bin : bins) {
    if (bin.rows == 0) continue;
    const auto rows = static_cast<double>(bin.rows);
    text += fmt::format(
        "{:<12} {:>9} {:>10} {:>8}\n", fmt::format("{:.2f} to {:.2f}", bin.from, bin.to), bin.rows,
        percent_of(bin.predicted / rows), percent_of(static_cast<double>(bin.right) / rows));
  }
  return text;
}

Json calibration_json(const std::vector<CalibrationBin>& bins) {
  Json list = Json::array();
  for (const CalibrationBin& bin : bins) {
    const auto rows = static_cast<double>(bin.rows);
    list.push_back({{"from", bin.from},
                    {"to", bin.to},
                    {"rows", bin.rows},
                    {"predicted", json_number(bin.predicted / rows)},
                    {"right", json_number(static_cast<double>(bin.right) / rows)}});
  }
  return list;
}

}  // namespace

std::string cross_validation_json(const CrossValidation& validation) {
  Json record;
  const ProbabilityFigures told = of_all_folds(validation);
  put_figures(record, validation.matrix, told);
  const auto mean = [&](double (*value)(const FoldResult&)) {
    return mean_of_folds(validation.folds, value).mean;
  };
  record["rules"] = mean([](const FoldResult& of) { return static_cast<double>(of.rules); });
  record["comparisons"] =
      mean([](const FoldResult& of) { return static_cast<double>(of.comparisons); });
  record["seconds"] = mean([](const FoldResult& of) { return of.seconds; }) *
                      static_cast<double>(validation.folds.size());
  record["classes"] = validation.classes;
  record["confusion"] = Json::array();
  for (std::size_t actual = 0; actual < validation.classes.size(); ++actual) {
    Json row = Json::array();
    for (std::size_t predicted = 0; predicted < validation.classes.size(); ++predicted) {
      row.push_back(validation.matrix.at(actual, predicted));
    }
    record["confusion"].push_back(std::move(row));
  }
  if (validation.matrix.rows() > told.rows)
    record["unknown"] = validation.matrix.rows() - told.rows;
  record["calibration"] = calibration_json(told.calibration);
  record["folds"] = Json::array();
  for (const FoldResult& fold : validation.folds) {
    Json one = {{"repeat", fold.repeat + 1},  {"fold", fold.fold + 1},
                {"rules", fold.rules},        {"comparisons", fold.comparisons},
                {"seconds", fold.seconds},    {"generations", fold.generations},
                {"rows", fold.matrix.rows()}, {"correct", fold.matrix.correct()}};
    put_figures(one, fold.matrix, fold.told);
    if (fold.unknown() > 0) one["unknown"] = fold.unknown();
    record["folds"].push_back(std::move(one));
  }
  if (const auto folds = compared(validation); !folds.empty()) {
    record["baselines"] = baselines_json(folds);
  }
  return record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string cross_validation_text(const CrossValidation& validation) {
  std::string text = "repeat fold";
  std::string means = fmt::format("{:>11}", "mean"),
              deviations = fmt::format("{:>11}", "deviation");
  for (const FoldColumn& column : fold_columns) {
    text += fmt::format(" {:>{}}", column.heading, column.width);
    const MeanOfFolds its = mean_of_folds(validation.folds, column.value);
    means += fold_cell(column, its.mean, column.mean_digits, "%");
    deviations += fold_cell(column, its.deviation, column.mean_digits, " ");
  }
  for (const FoldResult& fold : validation.folds) {
    text += fmt::format("\n{:>6} {:>4}", fold.repeat + 1, fold.fold + 1);
    for (const FoldColumn& column : fold_columns)
      text += fold_cell(column, column.value(fold), column.digits, "%");
  }
  text += "\n" + means + "\n" + deviations + "\n\n" +
          calibration_text(of_all_folds(validation).calibration);
  const auto folds = compared(validation);
  return folds.empty() ? text : text + baselines_text(folds);
}

bool tree_tells_better(const CrossValidation& validation) {
  const auto folds = compared(validation);
  return !folds.empty() && tree_tells_better(folds);
}

std::string cross_validation_line(const CrossValidation& validation) {
  return fmt::format("{:.2f}% of {} right, over {}", 100 * accuracy(validation.matrix),
                     counted(validation.matrix.rows(), "row"),
                     counted(validation.folds.size(), "fold"));
}

}  // namespace atl
