#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "islands/niching/fitted_trials.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

constexpr std::size_t rows_to_compare = 50;

bool all_hold(const Dataset& dataset, std::uint64_t row, std::span<const Comparison> comparisons) {
  return std::all_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
    const std::uint32_t code = dataset.code(row, c.attribute);
    return code != missing_code && takes(c, code);
  });
}

/// Do both hold on the same rows?
void expect_equal_rows(const Dataset& dataset, std::span<const Comparison> a,
                       std::span<const Comparison> b) {
  for (std::uint64_t row = 0; row < dataset.rows(); ++row)
    ASSERT_EQ(all_hold(dataset, row, a), all_hold(dataset, row, b)) << row;
}

class FittedTrialsOf : public testing::TestWithParam<std::string> {
 protected:
  Dataset dataset_ = planted_table(300, true);
  BoundGrammar grammar_{Grammar::parse(Grammar::builtin(GetParam()), GetParam()),
                        dataset_.attributes(), 6};
  CoverageSample sample_{dataset_};
  std::vector<std::uint64_t> all_ = all_rows();

  std::vector<std::uint64_t> all_rows() const {
    std::vector<std::uint64_t> all(sample_.words(), 0);
    for (std::size_t row = 0; row < sample_.rows(); ++row)
      all[row / 64] |= std::uint64_t{1} << row % 64;
    return all;
  }
  RandomStream stream(std::uint32_t slot) const { return RandomStream({3, 0, 0, slot}); }

  /// What a trial asks is what its child's canonical rule says.
  void expect_asked_of(const Derivation& child, const Unfitted& unfitted, const Expression& goal,
                       const std::optional<IntervalTrial>& asked) {
    const auto nodes = std::span<const std::size_t>(unfitted.nodes).subspan(unfitted.next);
    const Rule rule = grammar_.rule(child);
    const bool fits = !nodes.empty() && rule.antecedent.is_conjunction() &&
                      rule.consequent.is_conjunction() &&
                      grammar_.relation(child[nodes.front()]).has_value();
    ASSERT_EQ(asked.has_value(), fits);
    if (!fits) return;
    ++asked_;
    const std::uint32_t attribute = child[nodes.front()].comparison.attribute;
    EXPECT_EQ(asked->attribute, attribute);
    EXPECT_EQ(asked->relation, grammar_.relation(child[nodes.front()]));
    EXPECT_EQ(asked->refine_threshold, unfitted.refine_threshold);
    const bool in_antecedent = nodes.front() < grammar_.consequent_begin(child);
    const Expression& side = in_antecedent ? rule.antecedent : rule.consequent;
    const Expression& consequent = goal.empty() ? rule.consequent : goal;
    std::vector<Comparison> rest;
    for (const Comparison& c : side.comparisons()) {
      if (std::none_of(nodes.begin(), nodes.end(), [&](std::size_t node) {
            return child[node].comparison.attribute == c.attribute;
          }))
        rest.push_back(c);
    }
    expect_equal_rows(dataset_, asked->rest, rest);
    expect_equal_rows(dataset_, asked->positives,
                      (in_antecedent ? consequent : rule.antecedent).comparisons());
    std::optional<std::uint32_t> through;
    if (unfitted.row) through = sample_.codes(*unfitted.row)[attribute];
    if (through == missing_code) through.reset();
    EXPECT_EQ(asked->through, through);
  }

  std::size_t asked_ = 0;
};

}  // namespace

TEST_P(FittedTrialsOf, AskWhatTheirChildrenSay) {
  for (const bool means : {false, true}) {
    const Expression goal = means ? Expression::of({1, 0, 19, false}) : Expression();
    FittedTrials trials(grammar_, sample_, rows_to_compare, goal);
    for (std::uint32_t slot = 0; slot < 120; ++slot) {
      RandomStream draws = stream(slot);
      const Derivation origin = grammar_.derive(draws);
      const std::size_t node = 1 + static_cast<std::size_t>(draws.below(origin.size() - 1));
      trials.clear();
      // Others before it, so that questions do not begin with the first of the trials.
      trials.ask(grammar_.site(origin, 1, false), all_, all_, draws);
      const auto question =
          trials.ask(grammar_.site(origin, node, slot % 2 == 0), all_, all_, draws);
      if (!question) continue;
      const IntervalGroup group = trials.groups()[*question];
      EXPECT_EQ(group.rows_to_compare, rows_to_compare);
      for (std::size_t winner = 0; winner < group.trials.size(); ++winner) {
        Derivation child = origin;
        Unfitted unfitted = trials.take(*question, {winner, std::nullopt}, child);
        EXPECT_TRUE(grammar_.accepts(child));
        EXPECT_NE(child, origin);
        if (!unfitted.nodes.empty()) unfitted.next = 0;  // as it was when it was asked
        expect_asked_of(child, unfitted, goal, group.trials[winner]);
      }
    }
  }
  EXPECT_GT(asked_, 300U);
}

TEST_P(FittedTrialsOf, GoOnWithTheNextComparison) {
  FittedTrials trials(grammar_, sample_, rows_to_compare, Expression());
  for (std::uint32_t slot = 0; slot < 120; ++slot) {
    RandomStream draws = stream(slot);
    Derivation child = grammar_.derive(draws);
    Unfitted unfitted{.nodes = grammar_.comparison_nodes(child), .refine_threshold = slot % 2 == 0};
    trials.clear();
    while (unfitted.any()) {
      const std::size_t question = trials.ask(child, unfitted);
      const IntervalGroup group = trials.groups()[question];
      ASSERT_EQ(group.trials.size(), 1U);
      EXPECT_EQ(group.rows_to_compare, 0U);
      expect_asked_of(child, unfitted, Expression(), group.trials.front());
      const DerivationNode before = child[unfitted.nodes[unfitted.next]];
      const FittedInterval found{before.comparison.low, before.comparison.low, 1};
      trials.take({0, found}, unfitted, child);
      EXPECT_TRUE(grammar_.accepts(child));
    }
  }
  EXPECT_GT(asked_, 60U);
}

INSTANTIATE_TEST_SUITE_P(Grammars, FittedTrialsOf,
                         testing::Values("association", "association-full"),
                         [](const auto& info) { return info.index == 0 ? "Conjunctions" : "All"; });

}  // namespace atl::test
