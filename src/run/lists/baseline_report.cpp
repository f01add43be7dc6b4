#include "src/run/lists/baseline_report.hpp"

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/run/lists/baselines.hpp"
#include "src/run/lists/figures_json.hpp"
#include "src/run/lists/fold_means.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;
/// A learner on a fold.
struct Tested {
  double size = 0, comparisons = 0;
  ConfusionMatrix matrix{0};
  ProbabilityFigures told = {};
};

using Figure = double (*)(const Tested&);

constexpr Figure size_of_it = [](const Tested& of) { return of.size; };
constexpr Figure comparisons_of_it = [](const Tested& of) { return of.comparisons; };
constexpr Figure right_of_it = [](const Tested& of) { return accuracy(of.matrix); };
constexpr Figure recall_of_it = [](const Tested& of) { return balanced_accuracy(of.matrix); };
constexpr Figure log_loss_of_it = [](const Tested& of) { return of.told.log_loss; };
constexpr Figure auc_of_it = [](const Tested& of) { return of.told.auc; };

/// [folds]
std::vector<Tested> tested_lists(std::span<const ComparedFold> folds) {
  std::vector<Tested> all;
  for (const ComparedFold& fold : folds)
    all.push_back(
        {.size = static_cast<double>(fold.rules), .matrix = fold.list, .told = fold.told});
  return all;
}

/// @param place  in baselines()
/// @return [folds]
std::vector<Tested> tested_baselines(std::span<const ComparedFold> folds, std::size_t place) {
  std::vector<Tested> all;
  for (const ComparedFold& fold : folds) {
    const BaselineFold& its = fold.baselines[place];
    const std::size_t classes = fold.list.classes();
    all.push_back({static_cast<double>(its.size), static_cast<double>(its.comparisons),
                   its.matrix(classes), its.told(classes)});
  }
  return all;
}

double mean(const std::vector<Tested>& folds, Figure figure) {
  return mean_of_folds(folds, figure).mean;
}

/// What the lists have beyond the others, fold by fold.
MeanOfFolds gain(const std::vector<Tested>& lists, const std::vector<Tested>& others,
                 Figure figure) {
  std::vector<double> gains;
  for (std::size_t i = 0; i < lists.size(); ++i)
    gains.push_back(figure(lists[i]) - figure(others[i]));
  return mean_of_folds(gains, [](double its) { return its; });
}

std::string gain_text(const MeanOfFolds& gain) {
  return fmt::format("{:+.2f} +- {:.2f}", 100 * gain.mean, 100 * gain.deviation);
}

/// Nothing for NaN.
std::string figure_text(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.3f}", value);
}

Json gain_json(const MeanOfFolds& gain) {
  return {{"mean", json_number(gain.mean)}, {"deviation", json_number(gain.deviation)}};
}

}  // namespace

std::string baselines_text(std::span<const ComparedFold> folds) {
  std::string text =
      fmt::format("\n{:<11} {:>5} {:>7} {:>7} {:>8} {:>5} {:>15} {:>15}\n", "learner", "size",
                  "right", "recall", "log-loss", "AUC", "the list gains", "of recall");
  const auto row = [&](std::string_view name, const std::vector<Tested>& its) {
    const double size = mean(its, size_of_it);
    text += fmt::format("{:<11} {:>5.{}f} {:>6.2f}% {:>6.2f}% {:>8} {:>5}", name, size,
                        size < 1000 ? 1 : 0, 100 * mean(its, right_of_it),
                        100 * mean(its, recall_of_it), figure_text(mean(its, log_loss_of_it)),
                        figure_text(mean(its, auc_of_it)));
  };
  const std::vector<Tested> lists = tested_lists(folds);
  row("the list", lists);
  for (std::size_t b = 0; b < baselines().size(); ++b) {
    const std::vector<Tested> its = tested_baselines(folds, b);
    text += '\n';
    row(baselines()[b].name, its);
    text += fmt::format(" {:>15} {:>15}", gain_text(gain(lists, its, right_of_it)),
                        gain_text(gain(lists, its, recall_of_it)));
  }
  return text + '\n';
}

bool tree_tells_better(std::span<const ComparedFold> folds) {
  const std::vector<Tested> lists = tested_lists(folds);
  for (std::size_t b = 0; b < baselines().size(); ++b) {
    if (baselines()[b].name != "tree") continue;
    const std::vector<Tested> trees = tested_baselines(folds, b);
    return mean(trees, log_loss_of_it) < mean(lists, log_loss_of_it) ||
           mean(trees, auc_of_it) > mean(lists, auc_of_it);
  }
  return false;
}

Json baselines_json(std::span<const ComparedFold> folds) {
  Json all = Json::array();
  const std::vector<Tested> lists = tested_lists(folds);
  for (std::size_t b = 0; b < baselines().size(); ++b) {
    const std::vector<Tested> its = tested_baselines(folds, b);
    ConfusionMatrix matrix(folds.front().list.classes());
    std::vector<ProbabilityFigures> told;
    Json single = Json::array();
    for (std::size_t i = 0; i < folds.size(); ++i) {
      matrix.add(its[i].matrix);
      told.push_back(its[i].told);
      Json one = {{"repeat", folds[i].repeat + 1},
                  {"fold", folds[i].fold + 1},
                  {"size", folds[i].baselines[b].size},
                  {"comparisons", folds[i].baselines[b].comparisons},
                  {"correct", its[i].matrix.correct()}};
      put_figures(one, its[i].matrix, its[i].told);
      single.push_back(std::move(one));
    }
    Json record = {{"learner", baselines()[b].name},
                   {"size", mean(its, size_of_it)},
                   {"comparisons", mean(its, comparisons_of_it)}};
    put_figures(record, matrix, together(told));
    record["list_gains"] = {{"accuracy", gain_json(gain(lists, its, right_of_it))},
                            {"balanced_accuracy", gain_json(gain(lists, its, recall_of_it))},
                            {"auc", gain_json(gain(lists, its, auc_of_it))}};
    record["folds"] = std::move(single);
    all.push_back(std::move(record));
  }
  return all;
}

}  // namespace atl
