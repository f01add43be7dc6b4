#include "src/results/compare/overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "src/core/set_bits.hpp"
#include "src/core/text/number.hpp"
#include "src/results/choice/antecedent_rows.hpp"
#include "src/rules/rule_text.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {
namespace {

constexpr std::uint64_t most_rows_compared = std::uint64_t{1}
                                             << 24;  // of larger data some are drawn

struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// The numbers that a comparison takes; nothing if it is about no numbers, or about two intervals.
std::optional<Interval> interval_of(const WrittenComparison& comparison) {
  constexpr double all = std::numeric_limits<double>::infinity();
  if (comparison.kind != AttributeKind::numeric || comparison.values.empty()) return std::nullopt;
  const auto first = parse_number(comparison.values.front());
  const auto last = parse_number(comparison.values.back());
  if (!first || !last) return std::nullopt;
  const std::string& relation = comparison.relation;
  if (relation == "=" || relation == "in") return Interval{*first, *last};
  if (relation == "<=") return Interval{-all, *last};
  if (relation == "<") return Interval{-all, std::nextafter(*last, -all)};
  if (relation == ">=") return Interval{*first, all};
  if (relation == ">") return Interval{std::nextafter(*first, all), all};
  return std::nullopt;
}

/// Are they about the same attribute, with bounds that overlap, or the same values?
bool are_alike(const WrittenComparison& a, const WrittenComparison& b) {
  if (a.attribute != b.attribute) return false;
  const auto of_a = interval_of(a), of_b = interval_of(b);
  if (of_a && of_b) return std::max(of_a->low, of_b->low) <= std::min(of_a->high, of_b->high);
  const bool orders = a.relation.starts_with('<') || a.relation.starts_with('>');
  return a.relation == b.relation && (orders || a.values == b.values);
}

bool are_alike(const WrittenRule& a, const WrittenRule& b) {
  const auto in = [](const WrittenRule& rule, const WrittenComparison& comparison) {
    return std::ranges::any_of(rule.antecedent,
                               [&](const auto& c) { return are_alike(c, comparison); });
  };
  return a.antecedent.size() == b.antecedent.size() &&
         std::ranges::all_of(a.antecedent, [&](const auto& c) { return in(b, c); }) &&
         std::ranges::all_of(b.antecedent, [&](const auto& c) { return in(a, c); });
}

std::uint64_t count(const std::vector<std::uint64_t>& bits) {
  return common_bits(bits.data(), bits.data(), bits.size());
}

/// The figure of merit of rules with one consequent.
/// @param antecedents  rows of each
double merit_of(const std::vector<const std::vector<std::uint64_t>*>& antecedents,
                const std::vector<std::uint64_t>& consequent, std::size_t rows) {
  constexpr std::size_t most_taken = 20;
  const auto n = static_cast<double>(rows);
  std::vector<double> left(rows, -static_cast<double>(count(consequent)) / n / n);
  for_each_set_bit(consequent, [&](std::size_t row) { left[row] += 1 / n; });
  double figure = 0;
  std::vector<bool> taken(antecedents.size(), false);
  for (std::size_t k = 0; k < std::min(most_taken, antecedents.size()); ++k) {
    double greatest = 0;
    std::size_t best = antecedents.size();
    for (std::size_t i = 0; i < antecedents.size(); ++i) {
      if (taken[i]) continue;
      double sum = 0;
      for_each_set_bit(*antecedents[i], [&](std::size_t row) { sum += left[row]; });
      if (sum > greatest) std::tie(greatest, best) = std::pair(sum, i);
    }
    if (best == antecedents.size()) break;
    taken[best] = true;
    figure += greatest;
    for_each_set_bit(*antecedents[best], [&](std::size_t row) { left[row] /= 2; });
  }
  return figure;
}

}  // namespace

std::string_view to_string(Shared shared) noexcept {
  constexpr std::array<std::string_view, 4> names = {"rule", "rows", "alike", "none"};
  return names[static_cast<std::size_t>(shared)];
}

std::vector<Counterpart> counterparts(std::span<const WrittenRule> rules,
                                      std::span<const WrittenRule> others) {
  std::vector<Counterpart> found(rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string consequent = consequent_text(rules[i]);
    for (std::size_t k = 0; k < others.size() && found[i].shared != Shared::rule; ++k) {
      if (others[k].text == rules[i].text) {
        found[i] = {Shared::rule, k, {}};
      } else if (found[i].shared == Shared::none && consequent_text(others[k]) == consequent &&
                 are_alike(rules[i], others[k])) {
        found[i] = {Shared::alike, k, {}};
      }
    }
  }
  return found;
}

RowsOfRules::RowsOfRules(std::span<const WrittenRule> rules, const Dataset& data, ThreadPool& pool)
    : rules_(rules) {
  const AntecedentRows rows(data, most_rows_compared, pool);
  rows_ = rows.rows();
  std::vector<Rule> there;
  for (const WrittenRule& rule : rules) {
    there.push_back(parse_rule(rule.text, data.attributes(), "rule " + std::to_string(rule.id),
                               Unseen::never_holds));
  }
  std::vector<const Expression*> antecedents, consequents;
  for (const Rule& rule : there) {
    antecedents.push_back(&rule.antecedent);
    consequents.push_back(&rule.consequent);
  }
  antecedents_ = rows.cover(antecedents);
  consequents_ = rows.cover(consequents);
}

std::vector<Counterpart> RowsOfRules::counterparts_in(const RowsOfRules& others) const {
  std::vector<Counterpart> found(rules_.size());
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    const std::uint64_t own = count(antecedents_[i]);
    for (std::size_t k = 0; k < others.rules_.size(); ++k) {
      if (rules_[i].text == others.rules_[k].text) {
        found[i] = {Shared::rule, k, 1.0};
        break;
      }
      const bool means = of_mean(rules_[i]);
      if (means != of_mean(others.rules_[k]) || consequents_[i] != others.consequents_[k] ||
          (means && consequent_text(rules_[i]) != consequent_text(others.rules_[k]))) {
        continue;
      }
      const auto& its = others.antecedents_[k];
      const std::uint64_t common = common_bits(antecedents_[i].data(), its.data(), its.size());
      const std::uint64_t either = own + count(its) - common;
      const double jaccard =
          either == 0 ? 0 : static_cast<double>(common) / static_cast<double>(either);
      if (found[i].jaccard && jaccard <= *found[i].jaccard) continue;
      const bool equal = either > 0 && common == either;
      const bool alike = jaccard >= same_find;
      found[i] = {equal ? Shared::rows : alike ? Shared::alike : Shared::none, k, jaccard};
    }
  }
  return found;
}

double RowsOfRules::merit(std::size_t lines) const {
  std::map<Bits, std::vector<const Bits*>> by_consequent;
  for (std::size_t i = 0; i < std::min(lines, rules_.size()); ++i) {
    by_consequent[consequents_[i]].push_back(&antecedents_[i]);
  }
  double figure = 0;
  for (const auto& [consequent, antecedents] : by_consequent) {
    figure += merit_of(antecedents, consequent, rows_);
  }
  return figure;
}

}  // namespace atl
