#include "src/results/compare/run_reach.hpp"

#include <algorithm>

#include "src/data/presence.hpp"
#include "src/grammar/absences.hpp"
#include "src/grammar/aim.hpp"

namespace atl {
namespace {

bool is_in(std::uint32_t attribute, std::span<const std::uint32_t> ascending) {
  return std::binary_search(ascending.begin(), ascending.end(), attribute);
}

bool all_in(const Expression& side, std::span<const std::uint32_t> ascending) {
  return std::ranges::all_of(side.comparisons(),
                             [&](const Comparison& c) { return is_in(c.attribute, ascending); });
}

}  // namespace

RunReach::RunReach(const Experiment& experiment, std::span<const Attribute> attributes)
    : experiment_(experiment),
      attributes_(attributes),
      constraints_(constraints_of(experiment, attributes)),
      absences_(derives_absences(experiment, attributes)),
      grammars_(bind_grammars(experiment, attributes, "grammar")) {
  for (const auto& [island, its] : experiment.by_island()) {
    aims_.push_back(bind_aim(its.aim, attributes));
  }
}

std::string_view RunReach::limit_of_counts(const ContingencyTable& table) const {
  const auto n = static_cast<double>(table.n);
  const auto both = static_cast<double>(table.n_both);
  const auto antecedent = static_cast<double>(table.n_antecedent);
  if (table.n_both < constraints_.least_support(table)) return "min_support";
  if (table.n_antecedent == table.n || table.n_consequent == table.n) return "all_rows";
  if (both / antecedent < constraints_.min_confidence) return "min_confidence";
  if (static_cast<double>(table.n_consequent) / n > constraints_.max_consequent) {
    return "max_consequent";
  }
  return constraints_.met(table) ? "" : "lift";
}

bool RunReach::meets(const BoundAim& aim, const Rule& rule) const {
  const auto concluded = rule.consequent.comparisons();
  const bool allowed = aim.open() || (all_in(rule.antecedent, aim.antecedent) &&
                                      all_in(rule.consequent, aim.consequent));
  const auto names = [&](std::uint32_t attribute) {
    const auto is_it = [&](const Comparison& c) { return c.attribute == attribute; };
    return std::ranges::any_of(rule.antecedent.comparisons(), is_it) ||
           std::ranges::any_of(concluded, is_it);
  };
  if (!allowed || !std::ranges::all_of(aim.require, names)) return false;
  if (aim.targets.empty() && aim.target_attributes.empty()) return true;
  return concluded.size() == 1 &&
         (std::ranges::find(aim.targets, concluded[0]) != aim.targets.end() ||
          is_in(concluded[0].attribute, aim.target_attributes));
}

bool RunReach::is_absence(const Comparison& comparison) const {
  const auto there = presence_code(attributes_[comparison.attribute]);
  return there && !asks_missing(comparison) && !takes(comparison, *there);
}

bool RunReach::has(const BoundGrammar& grammar, const Comparison& comparison,
                   bool antecedent) const {
  const std::uint32_t a = comparison.attribute;
  // It names the attribute itself; what else it allows of it is not looked at.
  if (grammar.has_literal_on(a)) return true;
  using enum BoundRelation;
  const std::uint32_t last = attributes_[a].distinct() - 1;
  if (asks_missing(comparison)) return grammar.has(missing, a, antecedent);
  if (asks_known(comparison, last + 1)) return grammar.has(known, a, antecedent);
  if (comparison.low == comparison.high && grammar.has(equal, a, antecedent)) return true;
  if (comparison.low == 0 && grammar.has(less_equal, a, antecedent)) return true;
  if (comparison.high == last && grammar.has(greater, a, antecedent)) return true;
  return comparison.low < comparison.high && grammar.has(interval, a, antecedent);
}

bool RunReach::derives(const BoundGrammar& grammar, const Rule& rule) const {
  // It is taken for enough that each side alone is a conjunction of comparisons that it may have.
  // The built-in grammar concludes one comparison.
  const bool one_conclusion = experiment_.grammar == Grammar::builtin("association");
  const auto all = [&](const Expression& side, bool antecedent) {
    return std::ranges::all_of(side.comparisons(),
                               [&](const Comparison& c) { return has(grammar, c, antecedent); });
  };
  return (!one_conclusion || rule.consequent.comparisons().size() == 1) &&
         all(rule.antecedent, true) && all(rule.consequent, false);
}

std::string_view RunReach::limit(const Rule& rule, const ContingencyTable& table) const {
  if (rule.comparisons() > experiment_.max_length) return "max_length";
  if (const auto limit = limit_of_counts(table); !limit.empty()) return limit;
  const auto meets_it = [&](const BoundAim& aim) { return meets(aim, rule); };
  if (std::ranges::none_of(aims_, meets_it)) return "aim";
  const bool of_target = std::ranges::any_of(aims_, [&](const BoundAim& aim) {
    return is_in(rule.consequent.comparisons()[0].attribute, aim.target_attributes);
  });
  const auto absent = [&](const Comparison& c) { return is_absence(c); };
  if (!absences_ && (std::ranges::any_of(rule.antecedent.comparisons(), absent) ||
                     (!of_target && std::ranges::any_of(rule.consequent.comparisons(), absent)))) {
    return "absences";
  }
  auto aim = aims_.begin();
  for (const auto& [island, grammar] : grammars_) {
    if (meets(*aim++, rule) && derives(grammar, rule)) return "";
  }
  return "grammar";
}

}  // namespace atl
