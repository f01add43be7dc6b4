#include "islands/rule_sets/list_fitness.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "src/core/portable_log.hpp"
#include "src/measures/class_probabilities.hpp"

namespace atl {
namespace {

/// Weights of the rows of a class that a rule decides: those of a part, and all.
struct ClassWeights {
  std::uint32_t label;
  double seen, all;
};

/// Of the classes that have any, by label.
std::vector<ClassWeights> weights_of(const SampledList& list, std::size_t rule,
                                     const ListJudge& judge, const Part& part) {
  std::vector<ClassWeights> weights;
  const auto cells = list.decided.of(rule);
  for (std::size_t i = 0; i < cells.size();) {
    const std::uint32_t label = cells[i].place / judge.folds;
    std::uint64_t seen = 0, all = 0;
    for (; i < cells.size() && cells[i].place / judge.folds == label; ++i) {
      all += cells[i].rows;
      if (part.has(cells[i].place % judge.folds)) seen += cells[i].rows;
    }
    const double weight = judge.weights[label];
    weights.push_back(
        {label, weight * static_cast<double>(seen), weight * static_cast<double>(all)});
  }
  return weights;
}

double sum_of_seen(const std::vector<ClassWeights>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0,
                         [](double sum, const ClassWeights& its) { return sum + its.seen; });
}

std::uint32_t label_of(const SampledList& list, std::size_t rule) noexcept {
  return rule < list.rules.size() ? list.rules[rule]->rule().label : list.default_class;
}

/// The class that weighs most among the rows of a part that a rule decides, its own if that is one.
std::uint32_t heaviest(const SampledList& list, std::size_t rule, const ListJudge& judge,
                       const Part& part) {
  std::uint32_t best = label_of(list, rule), first = best;
  double most = 0, own = 0;
  for (const ClassWeights& its : weights_of(list, rule, judge, part)) {
    if (its.label == best) own = its.seen;
    if (its.seen <= most) continue;
    most = its.seen;
    first = its.label;
  }
  return most > own ? first : best;
}

}  // namespace

FoldScorer::FoldScorer(Resident& resident, const ClassifiedRows& rows) {
  for (std::uint32_t f = 0; f < rows.windows; ++f) {
    scorers_.push_back(resident.rule_set_scorer(rows));
  }
}

void FoldScorer::start(std::span<const RuleSet> lists) {
  rules_.clear();
  for (const RuleSet& list : lists) rules_.push_back(list.rules.size());
  for (std::uint32_t f = 0; f < scorers_.size(); ++f) {
    scorers_[f]->prepare(lists, {.window = f});
    scorers_[f]->start();
  }
}

void FoldScorer::read(std::vector<DecidedRows>& out) {
  const auto folds = static_cast<std::uint32_t>(scorers_.size());
  std::size_t entries = rules_.size();
  for (const std::size_t rules : rules_) entries += rules;
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> cells(entries);
  std::vector<DecidedCount> counts;
  for (std::uint32_t f = 0; f < folds; ++f) {
    scorers_[f]->finish();
    scorers_[f]->read_decided(counts);
    for (const DecidedCount& its : counts)
      cells[its.entry].push_back({its.label * folds + f, its.rows});
  }
  out.assign(rules_.size(), {});
  std::size_t entry = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t rule = 0; rule <= rules_[i]; ++rule, ++entry) {
      std::sort(cells[entry].begin(), cells[entry].end());
      for (const auto& [place, rows] : cells[entry]) out[i].add(place, rows);
      out[i].end_rule();
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

std::vector<std::uint64_t> decided_by_class(const SampledList& list, const ListJudge& judge) {
  std::vector<std::uint64_t> sums(list.decided.size() * judge.classes(), 0);
  for (std::size_t r = 0; r < list.decided.size(); ++r) {
    for (const DecidedRows::Cell& cell : list.decided.of(r))
      sums[r * judge.classes() + cell.place / judge.folds] += cell.rows;
  }
  return sums;
}

Correct correct_of(const SampledList& list, const ListJudge& judge, const Part& part) {
  Correct correct;
  for (std::size_t r = 0; r <= list.rules.size(); ++r) {
    const auto weights = weights_of(list, r, judge, part);
    for (const ClassWeights& its : weights) {
      if (its.label == label_of(list, r)) correct.right += its.seen;
    }
    correct.all += sum_of_seen(weights);
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

/// Shares of the classes among the rows of a part, none of which is impossible.
std::vector<double> shares_of(const SampledList& list, const ListJudge& judge, const Part& part) {
  std::vector<double> shares(judge.classes(), 1);
  for (std::size_t r = 0; r <= list.rules.size(); ++r) {
    for (const ClassWeights& its : weights_of(list, r, judge, part)) shares[its.label] += its.seen;
  }
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= all;
  return shares;
}

/// Sums over the rows of a part, or over all others, of figures that are learnt from the part.
RowSums sums_of(const SampledList& list, const ListJudge& judge, const Part& part, bool of_others) {
  const bool tells = judge.goal == ListGoal::probabilities;
  const std::vector<double> shares = tells ? shares_of(list, judge, part) : std::vector<double>{};
  RowSums sums;
  for (std::size_t r = 0; r <= list.rules.size(); ++r) {
    const auto weights = weights_of(list, r, judge, part);
    const double rows = sum_of_seen(weights);
    for (const ClassWeights& its : weights) {
      const double weight = of_others ? its.all - its.seen : its.seen;
      if (weight <= 0) continue;
      const double right = its.label == label_of(list, r) ? 1 : 0;
      sums.add(tells ? portable_log(
                           m_estimate(its.seen, rows, smoothing_rows_of_search, shares[its.label]))
                     : right,
               weight);
    }
  }
  return sums;
}

}  // namespace

RowSums seen_sums(const SampledList& list, const ListJudge& judge, const Part& part) {
  return sums_of(list, judge, part, false);
}

RowSums unseen_sums(const SampledList& list, const ListJudge& judge, const Part& part) {
  return sums_of(list, judge, part, true);
}

void settle(SampledList& list, const ListJudge& judge, const Part& part) {
  for (std::size_t r = 0; r < list.rules.size();) {
    if (list.decided.of(r).empty()) {
      list.rules.erase(list.rules.begin() + static_cast<std::ptrdiff_t>(r));
      list.decided.erase(r);
      continue;
    }
    const std::uint32_t label = heaviest(list, r, judge, part);
    if (label != label_of(list, r)) list.rules[r] = relabelled(*list.rules[r], label);
    ++r;
  }
  list.default_class = heaviest(list, list.rules.size(), judge, part);
  while (judge.goal == ListGoal::classes && !list.rules.empty() &&
         list.rules.back()->rule().label == list.default_class) {
    list.rules.pop_back();
    list.decided.join_last();
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
