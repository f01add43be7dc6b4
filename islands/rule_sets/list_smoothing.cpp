#include "islands/rule_sets/list_smoothing.hpp"

#include <cmath>
#include <cstdint>
#include <utility>

#include "src/measures/probability_figures.hpp"

namespace atl {
namespace {

/// Rows that the rules of a list decide, those of its part and those of the fold that it has not
/// seen. [rules + 1][classes]
struct TestRows {
  std::vector<std::uint64_t> seen, unseen;
};

TestRows test_rows(const SampledList& list, const ListJudge& judge, const Part& part) {
  const std::vector<std::uint64_t> zeros(list.decided.size() * judge.classes(), 0);
  TestRows rows{zeros, zeros};
  for (std::size_t r = 0; r < list.decided.size(); ++r) {
    for (const DecidedRows::Cell& cell : list.decided.of(r)) {
      auto& to = part.has(cell.place % judge.folds) ? rows.seen : rows.unseen;
      to[r * judge.classes() + cell.place / judge.folds] += cell.rows;
    }
  }
  return rows;
}

/// The value of least log-loss on the unseen rows of all lists together.
double best_rows(const std::vector<TestRows>& tests, std::size_t classes) {
  std::vector<std::uint64_t> unseen;
  for (const TestRows& test : tests)
    unseen.insert(unseen.end(), test.unseen.begin(), test.unseen.end());
  double best = Smoothing{}.rows;
  std::optional<double> least;
  for (const double rows : smoothing_rows) {
    std::vector<std::vector<double>> told;
    for (const TestRows& test : tests) {
      auto its = class_probabilities(test.seen, {rows, class_shares(test.seen, classes)});
      for (auto& of_rule : its) told.push_back(std::move(of_rule));
    }
    const double loss = log_loss({unseen, told});
    if (std::isnan(loss) || (least && loss >= *least)) continue;
    least = loss;
    best = rows;
  }
  return best;
}

}  // namespace

Smoothing list_smoothing(std::span<const std::vector<std::optional<SampledList>>> fronts,
                         std::span<const Part> parts, std::size_t rules, const ListJudge& judge) {
  std::vector<TestRows> tests;
  for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
    if (const auto* const list = fittest_of(fronts[p], rules))
      tests.push_back(test_rows(*list, judge, parts[p]));
  }
  const SampledList& chosen = *fittest_of(fronts.back(), rules);
  return {best_rows(tests, judge.classes()),
          class_shares(decided_by_class(chosen, judge), judge.classes())};
}

}  // namespace atl
