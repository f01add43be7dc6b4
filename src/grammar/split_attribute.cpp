#include "src/grammar/split_attribute.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/grammar/target_syntax.hpp"

namespace atl {
namespace {

using Words = std::vector<std::string>;

bool has(const Words& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse(const std::string& name, std::string_view option) {
  throw UsageError("--holdout: " + in_quotes(name) + " says which rows are held out, so " +
                   std::string(option) + " cannot name it");
}

void exclude(const std::string& name, std::string_view target_option, const Aim& aim,
             Words& excluded) {
  for (const std::string& target : aim.target) {
    if (target != no_target && target_attribute(target) == name) refuse(name, target_option);
  }
  if (has(aim.antecedent, name)) refuse(name, "--antecedent");
  if (has(aim.consequent, name)) refuse(name, "--consequent");
  if (has(aim.require, name)) refuse(name, "--require");
  if (!has(excluded, name)) excluded.push_back(name);
}

}  // namespace

std::optional<std::string> split_attribute(const Experiment& experiment) {
  const std::string& condition = experiment.holdout.condition;
  return condition.empty() ? std::nullopt : target_attribute(condition);
}

void exclude_split_attribute(Experiment& experiment) {
  const std::string& condition = experiment.holdout.condition;
  if (condition.empty()) return;
  expect_comparison_syntax(condition, "--holdout " + in_quotes(condition));
  const std::string name = split_attribute(experiment).value_or("");
  const std::string_view option = experiment.kind().target_option;
  for (const auto& [island, its] : experiment.by_island()) {
    Words ignored;
    exclude(name, option, its.aim, ignored);
  }
  exclude(name, option, experiment.aim, experiment.aim.exclude);
  for (IslandSettings& its : experiment.island_settings) {
    if (its.exclude && !has(*its.exclude, name)) its.exclude->push_back(name);
  }
}

}  // namespace atl
