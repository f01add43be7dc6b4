#include "src/results/written/list_figures.hpp"

#include <cstddef>
#include <numeric>
#include <span>

namespace atl {
namespace {

/// Rows of each class that a rule decides, or the default class.
std::span<const std::uint64_t> decided_by(const RuleSet& list, const RuleSetCounts& counts,
                                          std::size_t rule) noexcept {
  const std::size_t classes = counts.decided.size() / (list.rules.size() + 1);
  return std::span(counts.decided).subspan(rule * classes, classes);
}

std::uint32_t label_of(const RuleSet& list, std::size_t rule) noexcept {
  return rule < list.rules.size() ? list.rules[rule].label : list.default_class;
}

std::uint64_t sum(std::span<const std::uint64_t> counts) noexcept {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace

std::vector<ListRuleFigures> rule_figures(const RuleSet& list, const RuleSetCounts& counts) {
  const std::size_t rules = list.rules.size();
  std::vector<ListRuleFigures> figures(rules + 1);
  ListRuleFigures before;
  for (std::size_t rule = 0; rule <= rules; ++rule) {
    ListRuleFigures& of_rule = figures[rule];
    const auto decided = decided_by(list, counts, rule);
    const std::uint32_t label = label_of(list, rule);
    of_rule.decided = sum(decided);
    of_rule.decided_correct = decided[label];
    of_rule.decided_so_far = before.decided_so_far + of_rule.decided;
    of_rule.correct_so_far = before.correct_so_far + of_rule.decided_correct;
    if (rule < rules) {
      const auto covered = std::span(counts.covered).subspan(rule * decided.size(), decided.size());
      of_rule.covered = sum(covered);
      of_rule.covered_correct = covered[label];
    } else {
      of_rule.covered = of_rule.decided_so_far;
      for (std::size_t i = 0; i <= rules; ++i)
        of_rule.covered_correct += decided_by(list, counts, i)[label];
    }
    before = of_rule;
  }
  return figures;
}

ProbabilityFigures probability_figures(const RuleSet& list, std::span<const std::uint64_t> decided,
                                       std::span<const std::vector<double>> probabilities) {
  std::vector<std::uint32_t> said;
  for (std::size_t rule = 0; rule <= list.rules.size(); ++rule)
    said.push_back(label_of(list, rule));
  return probability_figures({decided, probabilities}, said);
}

}  // namespace atl
