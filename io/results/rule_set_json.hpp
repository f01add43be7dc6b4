// A decision list as JSON: by names and values, so that it can be applied without the data that it
// was learnt from.
//
//   class       {"attribute", "values": [label...]}
//   attributes  of the list: [{"name", "kind"}...], "values" in their order if ordinal; of both, if
//               it applies, "other" and "missing": as Attribute has them
//   smoothing   of the probabilities: {"rows", "shares": [by class]}
//   rules       [{"id", "rule": "if ... then ...", "antecedent", "class", "counts", "decided",
//               "probabilities"}...]
//   default     {"class", "counts", "decided", "probabilities"}
//   figures     of all rows: "rows", "correct", "accuracy", "balanced_accuracy", "macro_f1",
//               "kappa", "log_loss", "brier", "auc",
//               "confusion": [actual][predicted], both in the order of the class's values
//   held_out    figures of rows held out, and "counts" of each rule and the default class there;
//               "unknown", if there are some: classes of these rows that no training row has, the
//               last ones of "confusion"
//   front       [{"rules", "comparisons", "training", "inner_folds", "chosen"}...] of the search:
//               accuracies, or log-losses of --for probabilities, weighted as the search weighs
//               rows; null without inner folds
//   text        the whole list (rule_set_text.hpp)
//
// An antecedent is a comparison as in rules.json, {"and": [...]}, {"or": [...]} or {"not": ...}.
// "decided" has the rows that the rule decides, "probabilities" what it tells them, both by class.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/eval/rule_set_scorer.hpp"
#include "src/measures/class_probabilities.hpp"
#include "src/results/written/list_figures.hpp"
#include "src/rules/rule_set.hpp"

namespace atl::io {

/// Facts that are written beside a list; null: not written.
struct RuleSetContext {
  const ListFront* front = nullptr;         ///< that it was chosen from
  const RuleSetCounts* held_out = nullptr;  ///< of the list on rows held out
  /// Classes of these rows that the list has never seen, the last of their counts.
  std::span<const std::string> unknown = {};
};

/// @param counts  of the list on its data, by the codes of the class attribute
/// @param smoothing  of the list's probabilities
std::string rule_set_json(const RuleSet& list, std::span<const Attribute> attributes,
                          std::uint32_t class_attribute, const RuleSetCounts& counts,
                          const Smoothing& smoothing, const RuleSetContext& context = {});

/// The parts of the file that it takes to apply a list (parse_rule_set_for).
struct WrittenRuleSet {
  std::string text;
  Attribute class_attribute;  ///< nominal, whatever it was; labels by code
  /// Attributes of the list: names, kinds, what the import made of tokens; labels: all if ordinal
  /// or some are merged, else those that the list names.
  std::vector<Attribute> attributes;
  /// [rules + 1][classes] rows that each rule decided, the default class's last
  std::vector<std::vector<std::uint64_t>> decided;
  /// [rules + 1][classes] likewise, that each rule tells; of a file without them the smoothed
  /// shares of the rows that it decided
  std::vector<std::vector<double>> probabilities;
};
/// @throws BadData
WrittenRuleSet parse_rule_set_json(std::string_view json, const std::string& file);

}  // namespace atl::io
