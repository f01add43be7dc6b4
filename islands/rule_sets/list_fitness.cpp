#include "islands/rule_sets/list_fitness.hpp"

#include <algorithm>
#include <numeric>

#include "src/core/portable_log.hpp"
#include "src/measures/class_probabilities.hpp"

namespace atl {
namespace {

/// Puts [rules][classes] counts of a fold to their places among [rules][folds][classes].
void place(std::span<const std::uint64_t> counts, std::size_t fold, std::size_t folds,
           std::size_t classes, std::vector<std::uint64_t>& out) {
  out.resize(counts.size() * folds);
  for (std::size_t rule = 0; rule * classes < counts.size(); ++rule) {
    const auto row = counts.subspan(rule * classes, classes);
    std::copy(row.begin(), row.end(),
              out.begin() + static_cast<std::ptrdiff_t>((rule * folds + fold) * classes));
  }
}

/// Counts of a rule, in [folds][classes].
std::span<std::uint64_t> row_of(std::vector<std::uint64_t>& counts, std::size_t rule,
                                const ListJudge& judge) {
  const std::size_t width = std::size_t{judge.folds} * judge.classes();
  return std::span(counts).subspan(rule * width, width);
}

void erase_row(std::vector<std::uint64_t>& counts, std::size_t rule, const ListJudge& judge) {
  const auto row = row_of(counts, rule, judge);
  const auto first = counts.begin() + (row.data() - counts.data());
  counts.erase(first, first + static_cast<std::ptrdiff_t>(row.size()));
}

bool decides_none(std::span<const std::uint64_t> decided) noexcept {
  return std::all_of(decided.begin(), decided.end(), [](std::uint64_t n) { return n == 0; });
}

std::uint32_t heaviest(std::span<const double> weights, std::uint32_t own) {
  const auto most = std::max_element(weights.begin(), weights.end());
  return *most > weights[own] ? static_cast<std::uint32_t>(most - weights.begin()) : own;
}

}  // namespace

FoldScorer::FoldScorer(Resident& resident, const ClassifiedRows& rows) {
  for (std::uint32_t f = 0; f < rows.windows; ++f) {
    scorers_.push_back(resident.rule_set_scorer(rows));
  }
}

void FoldScorer::start(std::span<const RuleSet> lists) {
  for (std::uint32_t f = 0; f < scorers_.size(); ++f) {
    scorers_[f]->prepare(lists, {.window = f});
    scorers_[f]->start();
  }
}

void FoldScorer::read(std::span<RuleSetCounts> out) {
  of_fold_.resize(out.size());
  const std::size_t folds = scorers_.size();
  for (std::size_t f = 0; f < folds; ++f) {
    scorers_[f]->finish();
    scorers_[f]->read(of_fold_);
    const std::size_t classes = scorers_[f]->class_rows(0u).size();
    for (std::size_t i = 0; i < out.size(); ++i) {
      place(of_fold_[i].covered, f, folds, classes, out[i].covered);
      place(of_fold_[i].decided, f, folds, classes, out[i].decided);
    }
  }
}

std::vector<double> comparison_costs(std::span<const double> weights,
                                     std::span<const std::uint64_t> class_rows, double rows,
                                     double most_share) {
  std::vector<double> costs;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const double of_class = std::min(rows, most_share * static_cast<double>(class_rows[c]));
    costs.push_back(std::max(rows, of_class * weights[c]));
  }
  return costs;
}

std::vector<double> decided_weights(const RuleSetCounts& counts, std::size_t rule,
                                    const ListJudge& judge, const Part& part) {
  std::vector<double> weights(judge.classes(), 0);
  const std::size_t first = rule * judge.folds * judge.classes();
  for (std::uint32_t c = 0; c < judge.classes(); ++c) {
    std::uint64_t rows = 0;
    for (std::uint32_t f = 0; f < judge.folds; ++f) {
      if (part.has(f)) rows += counts.decided[first + std::size_t{f} * judge.classes() + c];
    }
    weights[c] = judge.weights[c] * static_cast<double>(rows);
  }
  return weights;
}

Correct correct_of(const SampledList& list, const ListJudge& judge, const Part& part) {
  Correct correct;
  for (std::size_t r = 0; r <= list.rules.size(); ++r) {
    const auto weights = decided_weights(list.counts, r, judge, part);
    const std::uint32_t label =
        r < list.rules.size() ? list.rules[r]->rule().label : list.default_class;
    correct.right += weights[label];
    correct.all += std::accumulate(weights.begin(), weights.end(), 0.0);
  }
  return correct;
}

double RowSums::variance() const noexcept {
  return std::max(0.0, squares / weight - mean() * mean());
}

namespace {

/// Rows by which probabilities are smoothed while lists are searched for: of many lists the one
/// that tells its own rows best tells them too well.
constexpr double smoothing_rows_of_search = 10;

/// [rules + 1][classes] weights of the rows of a part that each rule decides.
std::vector<std::vector<double>> all_decided(const SampledList& list, const ListJudge& judge,
                                             const Part& part) {
  std::vector<std::vector<double>> weights;
  for (std::size_t r = 0; r <= list.rules.size(); ++r)
    weights.push_back(decided_weights(list.counts, r, judge, part));
  return weights;
}

/// The figures of a row of each class that each rule decides, learnt from rows of these weights.
/// @param decided  [rules + 1][classes]; replaced by the figures
void make_figures(const SampledList& list, const ListJudge& judge,
                  std::vector<std::vector<double>>& decided) {
  if (judge.goal == ListGoal::classes) {
    for (std::size_t r = 0; r < decided.size(); ++r) {
      const bool is_rule = r < list.rules.size();
      std::fill(decided[r].begin(), decided[r].end(), 0);
      decided[r][is_rule ? list.rules[r]->rule().label : list.default_class] = 1;
    }
    return;
  }
  std::vector<double> shares(judge.classes(), 1);  // of the classes, none of which is impossible
  for (const auto& of_rule : decided)
    for (std::size_t c = 0; c < shares.size(); ++c) shares[c] += of_rule[c];
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (auto& of_rule : decided) {
    const double rows = std::accumulate(of_rule.begin(), of_rule.end(), 0.0);
    for (std::size_t c = 0; c < shares.size(); ++c) {
      of_rule[c] =
          portable_log(m_estimate(of_rule[c], rows, smoothing_rows_of_search, shares[c] / all));
    }
  }
}

/// @param figures, weights  [rules + 1][classes]
RowSums sums_of(const std::vector<std::vector<double>>& figures,
                const std::vector<std::vector<double>>& weights) {
  RowSums sums;
  for (std::size_t r = 0; r < figures.size(); ++r) {
    for (std::size_t c = 0; c < figures[r].size(); ++c) {
      if (weights[r][c] > 0) sums.add(figures[r][c], weights[r][c]);
    }
  }
  return sums;
}

}  // namespace

RowSums seen_sums(const SampledList& list, const ListJudge& judge, const Part& part) {
  const auto weights = all_decided(list, judge, part);
  auto figures = weights;
  make_figures(list, judge, figures);
  return sums_of(figures, weights);
}

RowSums unseen_sums(const SampledList& list, const ListJudge& judge, const Part& part) {
  const auto seen = all_decided(list, judge, part);
  auto weights = all_decided(list, judge, {});
  for (std::size_t r = 0; r < seen.size(); ++r)
    for (std::size_t c = 0; c < seen[r].size(); ++c) weights[r][c] -= seen[r][c];
  auto figures = seen;
  make_figures(list, judge, figures);
  return sums_of(figures, weights);
}

void settle(SampledList& list, const ListJudge& judge, const Part& part) {
  RuleSetCounts& counts = list.counts;
  const auto erase = [&](std::size_t r) {
    list.rules.erase(list.rules.begin() + static_cast<std::ptrdiff_t>(r));
    erase_row(counts.covered, r, judge);
  };
  for (std::size_t r = 0; r < list.rules.size();) {
    if (decides_none(row_of(counts.decided, r, judge))) {
      erase(r);
      erase_row(counts.decided, r, judge);
      continue;
    }
    const std::uint32_t own = list.rules[r]->rule().label;
    const std::uint32_t label = heaviest(decided_weights(counts, r, judge, part), own);
    if (label != own) list.rules[r] = relabelled(*list.rules[r], label);
    ++r;
  }
  list.default_class =
      heaviest(decided_weights(counts, list.rules.size(), judge, part), list.default_class);
  while (judge.goal == ListGoal::classes && !list.rules.empty() &&
         list.rules.back()->rule().label == list.default_class) {
    const std::size_t last = list.rules.size() - 1;
    const auto of_default = row_of(counts.decided, last + 1, judge);
    const auto of_last = row_of(counts.decided, last, judge);
    for (std::size_t i = 0; i < of_last.size(); ++i) of_last[i] += of_default[i];
    erase(last);
    erase_row(counts.decided, last + 1, judge);
  }
  list.comparisons = 0;
  double cost = 0;
  for (const SharedRule& rule : list.rules) {
    const std::size_t comparisons = rule->rule().antecedent.comparisons().size();
    list.comparisons += comparisons;
    cost += judge.costs[part.price][rule->rule().label] * static_cast<double>(comparisons);
  }
  list.fitness = seen_sums(list, judge, part).sum - cost;
}

}  // namespace atl
