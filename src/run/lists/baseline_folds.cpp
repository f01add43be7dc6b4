#include "src/run/lists/baseline_folds.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "islands/list_results.hpp"
#include "src/data/bit_planes.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/measures/class_probabilities.hpp"
#include "src/measures/class_weights.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/run/lists/baselines.hpp"

namespace atl {
namespace {

/// Counts the rows of each region, by the list's text, as any other table would be classified.
BaselineFold count_regions(const RuleSet& list, const Dataset& training, const FoldRows& rows,
                           std::uint32_t fold) {
  const Attribute& known = rows.exact.attributes()[rows.class_attribute];
  const Attribute& learnt = training.attributes()[rows.class_attribute];
  const RuleSet of_all =
      parse_rule_set_for(to_text(list, training.attributes(), learnt), rows.exact.attributes(),
                         training.attributes(), learnt, "the baseline");
  const JointClasses joint = join_classes(known, learnt);
  BaselineFold found;
  found.comparisons = list.comparisons();
  for (const ClassRule& rule : of_all.rules) found.labels.push_back(joint.codes[rule.label]);
  found.labels.push_back(joint.codes[of_all.default_class]);
  const std::size_t classes = known.distinct();
  found.learnt.assign(found.labels.size() * classes, 0);
  found.tested = found.learnt;
  const std::vector<std::uint32_t> deciders = deciding_rules(of_all, rows.exact);
  for (std::size_t row = 0; row < deciders.size(); ++row) {
    if (rows.classes[row] == missing_code) continue;
    auto& counts = rows.folds[row] == fold ? found.tested : found.learnt;
    ++counts[deciders[row] * classes + rows.classes[row]];
  }
  return found;
}

}  // namespace

ConfusionMatrix BaselineFold::matrix(std::size_t classes) const {
  ConfusionMatrix matrix(classes);
  for (std::size_t region = 0; region < labels.size(); ++region) {
    for (std::size_t c = 0; c < classes; ++c) {
      matrix.add(c, labels[region], tested[region * classes + c]);
    }
  }
  return matrix;
}

ProbabilityFigures BaselineFold::told(std::size_t classes) const {
  const auto is_known = [&](std::size_t c) {
    std::uint64_t rows = 0;
    for (std::size_t i = c; i < learnt.size(); i += classes) rows += learnt[i];
    return rows > 0;
  };
  std::vector<std::size_t> order(classes);  // those that it has seen first, as ToldRows has them
  std::iota(order.begin(), order.end(), 0);
  const auto unknown = std::stable_partition(order.begin(), order.end(), is_known);
  const auto known = static_cast<std::size_t>(unknown - order.begin());
  std::vector<std::uint64_t> seen, rows;
  for (std::size_t first = 0; first < learnt.size(); first += classes) {
    for (std::size_t i = 0; i < known; ++i) seen.push_back(learnt[first + order[i]]);
    for (const std::size_t c : order) rows.push_back(tested[first + c]);
  }
  const auto probabilities = class_probabilities(seen, {.shares = class_shares(seen, known)});
  const ToldRows its{rows, probabilities};
  ProbabilityFigures figures;
  figures.log_loss = log_loss(its);
  figures.brier = brier(its);
  figures.auc = auc(its);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % classes < known) figures.rows += rows[i];
  }
  return figures;
}

std::vector<BaselineFold> learn_baselines(const Experiment& experiment, const Dataset& training,
                                          const FoldRows& rows, std::uint32_t fold) {
  const Attribute& learnt = training.attributes()[rows.class_attribute];
  const BaselineTable table(training, rows.class_attribute, experiment.aim.exclude,
                            class_weights(learnt.counts, experiment.settings.at("balance")));
  const auto most = most_rules_of(experiment, learnt.counts.size());
  std::vector<BaselineFold> found;
  for (const Baseline& baseline : baselines()) {
    const RuleSet list = baseline.learn(table, most);
    found.push_back(count_regions(list, training, rows, fold));
    found.back().size = list.rules.size() + (baseline.counts_default ? 1 : 0);
  }
  return found;
}

void put(ByteWriter& out, std::span<const BaselineFold> baselines) {
  for (const BaselineFold& one : baselines) {
    out.put(std::uint64_t{one.size});
    out.put(std::uint64_t{one.comparisons});
    out.put_all(std::span(one.labels));
    out.put_all(std::span(one.learnt));
    out.put_all(std::span(one.tested));
  }
}

std::vector<BaselineFold> get_baselines(ByteReader& in, std::size_t classes) {
  std::vector<BaselineFold> found(baselines().size());
  for (BaselineFold& one : found) {
    one.size = in.get<std::uint64_t>();
    one.comparisons = in.get<std::uint64_t>();
    one.labels = in.get_all<std::uint32_t>();
    one.learnt = in.get_all<std::uint64_t>();
    one.tested = in.get_all<std::uint64_t>();
    const std::size_t cells = one.labels.size() * classes;
    require_bytes(!one.labels.empty() && one.learnt.size() == cells && one.tested.size() == cells &&
                      std::all_of(one.labels.begin(), one.labels.end(),
                                  [&](std::uint32_t label) { return label < classes; }),
                  "the counts of a baseline do not fit its regions");
  }
  return found;
}

}  // namespace atl
