#include "src/run/data/default_target.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "io/hdf5/data_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/split_attribute.hpp"
#include "src/rules/scanner.hpp"
#include "src/run/data/named_attributes.hpp"

namespace atl {
namespace {

std::string any_value(const Attribute& attribute) {
  return quoted_if_needed(attribute.name, relation_characters) + "=*";
}

/// Names the attribute that says which rows are held out, if it is there: if not, whoever reads the
/// rows says so.
void tell_of_split(const Experiment& experiment, const io::DatasetSummary& data,
                   const Report& report) {
  const auto split = split_attribute(experiment);
  const bool there =
      data.of_transactions || std::any_of(data.attributes.begin(), data.attributes.end(),
                                          [&](const Attribute& a) { return a.name == split; });
  if (!split || !there) return;
  report(Severity::info,
         "no rule names " + in_quotes(*split) + ", which says which rows are held out (--holdout)");
}

}  // namespace

std::string designated_class(std::span<const Attribute> attributes) {
  std::vector<const Attribute*> designated;
  for (const Attribute& attribute : attributes) {
    if (attribute.role == AttributeRole::target) designated.push_back(&attribute);
  }
  if (designated.size() == 1) return any_value(*designated.front());
  throw UsageError(
      fmt::format("--class is missing, and the data designate {}; the last attribute is {}",
                  designated.empty() ? "none" : "several", in_quotes(attributes.back().name)));
}

bool leaves_conclusions_open(const Experiment& experiment) {
  const Aim& aim = experiment.aim;
  if (!aim.target.empty() || !aim.antecedent.empty() || !aim.consequent.empty()) return false;
  if (experiment.grammar != Grammar::builtin("association") &&
      experiment.grammar != Grammar::builtin("association-full")) {
    return false;
  }
  return std::none_of(experiment.island_settings.begin(), experiment.island_settings.end(),
                      [](const IslandSettings& its) {
                        return its.grammar || its.target || its.antecedent || its.consequent;
                      });
}

void aim_at_designated(Experiment& experiment, std::span<const Attribute> attributes,
                       const Report& report) {
  const auto& excluded = experiment.aim.exclude;
  std::vector<std::string> names;
  std::vector<std::string> targets;
  std::string numbers;
  for (const Attribute& attribute : attributes) {
    if (attribute.role != AttributeRole::target || attribute.distinct() < 2) continue;
    if (std::find(excluded.begin(), excluded.end(), attribute.name) != excluded.end()) continue;
    names.push_back(in_quotes(attribute.name));
    targets.push_back(any_value(attribute));
    if (attribute.kind == AttributeKind::numeric && !can_be_labels(attribute)) {
      numbers = fmt::format("; --target 'mean({})' looks for where it is high",
                            printable(attribute.name));
    }
  }
  if (targets.empty()) return;
  experiment.aim.target = targets;
  experiment.validate();
  report(
      Severity::info,
      fmt::format("the data designate {} as the target: rules conclude it, as by --target {}{}; "
                  "--target none is for rules about anything",
                  listed(names), in_quotes(fmt::format("{}", fmt::join(targets, ","))), numbers));
}

Experiment with_designated_target(Experiment experiment, const io::DatasetSummary& data,
                                  const Report& report) {
  // Whoever reads the rows of transactions refuses them.
  if (data.of_transactions && !experiment.kind().transactions) return experiment;
  if (names_attributes(experiment)) {
    experiment = fitted_to_data(experiment, data, report);
    experiment.validate();
  }
  tell_of_split(experiment, data, report);
  if (experiment.kind().classifies) {
    if (experiment.aim.target.empty()) {
      experiment.aim.target = {designated_class(data.attributes)};
    }
  } else if (leaves_conclusions_open(experiment)) {
    aim_at_designated(experiment, data.attributes, report);
  }
  return experiment;
}

Experiment with_designated_target(Experiment experiment, const std::string& dataset,
                                  const io::Folder& run, const Report& report) {
  return with_designated_target(std::move(experiment), io::read_data_summary(dataset, &run),
                                report);
}

void expect_list_order(const Experiment& experiment) {
  if (experiment.order != ListOrder::news) return;
  for (const auto& [island, its] : experiment.by_island()) {
    if (its.aim.has_target()) return;
  }
  throw UsageError("--order news is about a target (--target), and there is none");
}

}  // namespace atl
