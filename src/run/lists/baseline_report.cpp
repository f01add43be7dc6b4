#include "src/run/lists/baseline_report.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "src/run/lists/baselines.hpp"
#include "src/run/lists/figures_json.hpp"
#include "src/run/lists/fold_means.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;
using MatrixFigure = double (*)(const ConfusionMatrix&) noexcept;

/// A baseline over the folds.
class Compared {
 public:
  /// @param place  in baselines()
  Compared(std::span<const ComparedFold> folds, std::size_t place) : folds_(folds), place_(place) {}

  double size() const {
    return mean_of_folds(folds_,
                         [&](const auto& fold) { return static_cast<double>(on(fold).size); })
        .mean;
  }
  double comparisons() const {
    return mean_of_folds(
               folds_, [&](const auto& fold) { return static_cast<double>(on(fold).comparisons); })
        .mean;
  }
  double mean(MatrixFigure figure) const {
    return mean_of_folds(folds_, [&](const auto& fold) { return figure(matrix(fold)); }).mean;
  }
  /// What the list has beyond it.
  MeanOfFolds gain(MatrixFigure figure) const {
    return mean_of_folds(
        folds_, [&](const auto& fold) { return figure(fold.list) - figure(matrix(fold)); });
  }

  const BaselineFold& on(const ComparedFold& fold) const { return fold.baselines[place_]; }
  ConfusionMatrix matrix(const ComparedFold& fold) const {
    return on(fold).matrix(fold.list.classes());
  }

 private:
  std::span<const ComparedFold> folds_;
  std::size_t place_;
};

std::string gain_text(const MeanOfFolds& gain) {
  return fmt::format("{:+.2f} +- {:.2f}", 100 * gain.mean, 100 * gain.deviation);
}

Json gain_json(const MeanOfFolds& gain) {
  return {{"mean", json_number(gain.mean)}, {"deviation", json_number(gain.deviation)}};
}

}  // namespace

std::string baselines_text(std::span<const ComparedFold> folds) {
  std::string text =
      fmt::format("\n{:<12}{:>6}  {:>9}  {:>13}  {:>14}  {:>14}\n", "learner", "size", "right",
                  "mean recall", "the list gains", "of mean recall");
  const auto row = [&](std::string_view name, double size, double right, double recall,
                       const std::string& gains, const std::string& of_recall) {
    text +=
        fmt::format("{:<12}{:>6.1f}  {:>8.2f}%  {:>12.2f}%", name, size, 100 * right, 100 * recall);
    if (!gains.empty()) text += fmt::format("  {:>14}  {:>14}", gains, of_recall);
    text += '\n';
  };
  row("the list", mean_of_folds(folds, [](const auto& fold) { return fold.rules; }).mean,
      mean_of_folds(folds, [](const auto& fold) { return accuracy(fold.list); }).mean,
      mean_of_folds(folds, [](const auto& fold) { return balanced_accuracy(fold.list); }).mean, "",
      "");
  for (std::size_t b = 0; b < baselines().size(); ++b) {
    const Compared its(folds, b);
    row(baselines()[b].name, its.size(), its.mean(accuracy), its.mean(balanced_accuracy),
        gain_text(its.gain(accuracy)), gain_text(its.gain(balanced_accuracy)));
  }
  return text;
}

Json baselines_json(std::span<const ComparedFold> folds) {
  Json all = Json::array();
  for (std::size_t b = 0; b < baselines().size(); ++b) {
    const Compared its(folds, b);
    ConfusionMatrix together(folds.front().list.classes());
    Json single = Json::array();
    for (const ComparedFold& fold : folds) {
      const ConfusionMatrix matrix = its.matrix(fold);
      together.add(matrix);
      Json one = {{"repeat", fold.repeat + 1},
                  {"fold", fold.fold + 1},
                  {"size", its.on(fold).size},
                  {"comparisons", its.on(fold).comparisons},
                  {"correct", matrix.correct()}};
      put_figures(one, matrix);
      single.push_back(std::move(one));
    }
    Json record = {
        {"learner", baselines()[b].name}, {"size", its.size()}, {"comparisons", its.comparisons()}};
    put_figures(record, together);
    record["list_gains"] = {{"accuracy", gain_json(its.gain(accuracy))},
                            {"balanced_accuracy", gain_json(its.gain(balanced_accuracy))}};
    record["folds"] = std::move(single);
    all.push_back(std::move(record));
  }
  return all;
}

}  // namespace atl
