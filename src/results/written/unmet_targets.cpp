#include "src/results/written/unmet_targets.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/eval/counting_options.hpp"
#include "src/grammar/aim.hpp"
#include "src/results/archive/constraints.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {
namespace {

constexpr std::uint32_t most_classes = 1000;  // of an attribute; nobody reads of more
constexpr std::size_t most_named = 40;        // in a line, one by one

/// Targets by what is said of them, in the order of the first of each.
class Reasons {
 public:
  explicit Reasons(std::span<const Attribute> attributes) : attributes_(attributes) {}

  void add(const Comparison& target, const std::string& reason) {
    const auto known = std::find_if(reasons_.begin(), reasons_.end(),
                                    [&](const auto& other) { return other.first == reason; });
    auto& targets =
        known == reasons_.end() ? reasons_.emplace_back(reason, Texts()).second : known->second;
    targets.push_back(printable(to_text(target, attributes_)));
  }

  std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const auto& [reason, targets] : reasons_) {
      const bool few = targets.size() <= most_named;
      lines.push_back(
          fmt::format("no rule concludes {}: {}",
                      few ? fmt::format("{}", fmt::join(targets, ", ")) : listed(targets), reason));
    }
    return lines;
  }

 private:
  using Texts = std::vector<std::string>;

  std::span<const Attribute> attributes_;
  std::vector<std::pair<std::string, Texts>> reasons_;
};

/// The reason why no rule on the target can meet the limits; empty if one may.
std::string exclusion(const TargetRows& target, const Experiment& experiment,
                      const Constraints& limits) {
  const std::uint64_t rows = target.rows;
  if (rows == 0) return "none of the rows searched has it";
  if (rows == target.of) return "all rows have it";
  const std::uint64_t least = limits.least_support({target.of, rows, rows, rows});
  if (rows < least && limits.by_class) {
    return fmt::format("too few rows, fewer than {}", least);
  }
  if (rows < least) {
    return fmt::format("on fewer rows than the {} that --min-support {} asks for", least,
                       experiment.min_support.to_string());
  }
  const double share = static_cast<double>(rows) / static_cast<double>(target.of);
  if (share <= limits.max_consequent) return {};
  return fmt::format("on {:.4g}% of the rows, more than --max-consequent {} allows", 100 * share,
                     limits.max_consequent);
}

bool concludes(const RuleRecord& record, const Comparison& target) {
  const auto conclusions = record.rule.consequent.comparisons();
  return conclusions.size() == 1 && conclusions.front() == target;
}

}  // namespace

std::vector<TargetRows> count_targets(const Experiment& experiment,
                                      std::span<const Attribute> attributes, Resident& resident) {
  if (experiment.aim.concludes_mean()) return {};
  std::set<Comparison> targets;
  for (const auto& [island, its] : experiment.by_island()) {
    if (!its.aim.has_target()) return {};
    const BoundAim aim = bind_aim(its.aim, attributes);
    targets.insert(aim.targets.begin(), aim.targets.end());
    for (const std::uint32_t a : aim.target_attributes) {
      const std::uint32_t labels = attributes[a].ordered() ? 0 : attributes[a].distinct();
      for (std::uint32_t code = 0; code < labels && labels <= most_classes; ++code) {
        targets.insert({a, code, code, false});
      }
    }
  }
  std::vector<Rule> rules;  // of all rows
  for (const Comparison& target : targets) rules.push_back({{}, Expression::of(target)});
  const auto counts = resident.count(rules, counting_options(experiment, attributes));
  std::vector<TargetRows> counted;
  for (const Comparison& target : targets) {
    const ContingencyTable& table = counts[counted.size()].table;
    counted.push_back({target, table.n_consequent, table.n});
  }
  return counted;
}

std::vector<std::string> excluded_targets(const Experiment& experiment,
                                          std::span<const Attribute> attributes,
                                          std::span<const TargetRows> targets) {
  const Constraints limits = constraints_of(experiment, attributes);
  Reasons reasons(attributes);
  for (const TargetRows& target : targets) {
    const std::string reason = exclusion(target, experiment, limits);
    if (!reason.empty()) reasons.add(target.target, reason);
  }
  return reasons.lines();
}

std::string unmeetable_limit(const Experiment& experiment, std::span<const Attribute> attributes,
                             std::span<const TargetRows> targets) {
  const double most_consequent = experiment.max_consequent();
  const SupportThreshold& least = experiment.min_support;
  if (!least.rows && least.share > most_consequent && !experiment.aim.concludes_mean()) {
    return fmt::format(
        "--min-support {} is more than any rule can have: --max-consequent {} allows no consequent "
        "on more rows",
        least.to_string(), format_number(most_consequent));
  }
  if (targets.empty()) return {};
  const Constraints limits = constraints_of(experiment, attributes);
  const auto is_excluded = [&](const TargetRows& target) {
    return !exclusion(target, experiment, limits).empty();
  };
  if (!std::all_of(targets.begin(), targets.end(), is_excluded)) return {};
  std::uint64_t most = 0;
  for (const TargetRows& target : targets) {
    if (target.rows < target.of) most = std::max(most, target.rows);
  }
  return fmt::format("{}; the greatest support of one: {} of {} rows",
                     fmt::join(excluded_targets(experiment, attributes, targets), "; "), most,
                     targets.front().of);
}

std::vector<std::string> unmet_targets(const Experiment& experiment,
                                       std::span<const Attribute> attributes,
                                       std::span<const TargetRows> targets,
                                       std::span<const RuleRecord> found,
                                       std::span<const RuleRecord> chosen,
                                       std::span<const HeldOut> tests) {
  const Constraints limits = constraints_of(experiment, attributes);
  const double level = experiment.significance;
  Reasons reasons(attributes);
  for (const TargetRows& target : targets) {
    const auto on_it = [&](const RuleRecord& record) { return concludes(record, target.target); };
    bool is_chosen = false;
    bool is_written = false;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!on_it(chosen[i])) continue;
      is_chosen = true;
      is_written = is_written || tests.empty() || level == 0 || tests[i].p_holm <= level;
    }
    if (is_written) continue;
    // Bounds may be other codes in what was found.
    const bool is_found = attributes[target.target.attribute].ordered()
                              ? !found.empty()
                              : std::any_of(found.begin(), found.end(), on_it);
    if (is_chosen) {
      reasons.add(target.target, "none of the rules found is significant on the rows held out");
    } else if (is_found && chosen.size() == experiment.top) {
      reasons.add(target.target,
                  fmt::format("rules on others take all {} places (--top)", experiment.top));
    } else if (is_found) {
      reasons.add(target.target, "those found made way for better rules (--max-similarity, --top)");
    } else {
      const std::string reason = exclusion(target, experiment, limits);
      reasons.add(target.target, reason.empty() ? "none was found that meets the limits" : reason);
    }
  }
  return reasons.lines();
}

}  // namespace atl
