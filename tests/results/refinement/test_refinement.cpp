#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/eval/counting_options.hpp"
#include "src/measures/measures.hpp"
#include "src/results/refinement/bound_fits.hpp"
#include "src/results/refinement/refinement.hpp"
#include "src/rules/generalisation.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

namespace {

class RefinementTest : public testing::Test {
 protected:
  RefinementTest() { experiment_.min_support = {.share = 0, .rows = 5}; }

  Rule parsed(const std::string& text) const {
    return parse_rule(text, dataset_.attributes(), "test");
  }

  std::vector<RuleRecord> refined(const std::vector<Rule>& rules, unsigned threads = 1) {
    return refined(rules, association_grammar(dataset_), threads);
  }
  std::vector<RuleRecord> refined(const std::vector<Rule>& rules, const BoundGrammar& grammar,
                                  unsigned threads = 1) {
    std::vector<RuleRecord> records(rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      records[i].rule = rules[i];
      records[i].equivalents = {rules[i]};
    }
    ThreadPool pool(threads);
    const auto resident = make_cpu_device(pool)->load(dataset_);
    CountedRules counted(*resident, counting_options(experiment_, dataset_.attributes()));
    const BinEdges no_edges;
    Refined result =
        Refinement(experiment_, grammar, pool, no_edges, counted).refine(std::move(records));
    improved_ = result.summary.improved;
    evaluated_ = result.summary.evaluated;
    return std::move(result.records);
  }

  double value(const Rule& rule) const {
    const auto resident = make_reference_device()->load(dataset_);
    std::vector<Rule> rules = {rule};
    Generalisation(dataset_.attributes()).generalise(rule, rules);
    std::vector<RuleStatistics> counts = resident->count(rules, {});
    note_nearest(counts[0].table, std::span(counts).subspan(1));
    return evaluate(measure_named(experiment_.archive_by), counts[0].table);
  }

  Dataset dataset_ = planted_table(4000, true);
  Experiment experiment_ = small_experiment("niching");
  std::size_t improved_ = 0;
  std::uint64_t evaluated_ = 0;
};

// Some rules with bounds on several attributes, on both sides and in all forms.
std::vector<std::string> rule_texts() {
  return {"x0 in [9, 17] AND c4 = l2 => c5 = l1",
          "x0 > 14 AND c4 = l2 => c5 = l1",
          "x0 <= 15 => c5 = l1",
          "x1 in [3, 30] AND x3 > 4 => c7 = l0",
          "c5 = l1 => x0 in [14, 25]",
          "x0 in [10, 21] AND x2 <= 30 => c5 = l1"};
}

}  // namespace

TEST_F(RefinementTest, FindsThePlantedBounds) {
  for (const char* const measure : {"contrast", "phi"}) {
    experiment_.archive_by = measure;
    const auto records = refined({parsed("x0 in [9, 17] AND c4 = l2 => c5 = l1")});
    EXPECT_EQ(to_text(records[0].rule, dataset_.attributes()),
              "x0 in [12, 19] AND c4 = l2 => c5 = l1")
        << measure;
    EXPECT_EQ(improved_, 1U);
    EXPECT_TRUE(records[0].equivalents.empty());
  }
}

TEST_F(RefinementTest, NeverLosesByTheMeasure) {
  std::vector<Rule> rules;
  for (const std::string& text : rule_texts()) rules.push_back(parsed(text));
  for (const char* const measure :
       {"leverage", "contrast", "certainty_factor", "phi", "support", "lift", "gini"}) {
    experiment_.archive_by = measure;
    const auto records = refined(rules);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      if (records[i].rule == rules[i]) {
        EXPECT_EQ(records[i].equivalents.size(), 1U);
        continue;
      }
      ++changed;
      EXPECT_GT(value(records[i].rule), value(rules[i])) << measure << ' ' << i;
    }
    EXPECT_EQ(changed, improved_);
    EXPECT_GE(evaluated_, rules.size());
  }
}

TEST_F(RefinementTest, KnowsWhatAFormerBatchFound) {
  experiment_.archive_by = "contrast";
  std::vector<RuleRecord> given;
  for (const std::string& text : rule_texts()) given.emplace_back().rule = parsed(text);
  ThreadPool pool(2);
  const auto resident = make_cpu_device(pool)->load(dataset_);
  CountedRules counted(*resident, counting_options(experiment_, dataset_.attributes()));
  const BinEdges no_edges;
  const BoundGrammar grammar = association_grammar(dataset_);
  Refinement refinement(experiment_, grammar, pool, no_edges, counted);
  const Refined first = refinement.refine(given), again = refinement.refine(given);
  EXPECT_GT(first.summary.improved, 0U);
  EXPECT_GT(first.summary.added, 0U);
  EXPECT_EQ(again.summary.evaluated, 0U);
  EXPECT_EQ(again.summary.added, 0U);
  ASSERT_EQ(again.records.size(), given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    EXPECT_EQ(again.records[i].rule, first.records[i].rule);
    EXPECT_EQ(again.records[i].table, first.records[i].table);
  }
}

TEST_F(RefinementTest, KeepsFormsAndNumbersOfComparisonsByContrast) {
  experiment_.archive_by = "contrast";
  const auto form = [&](const Comparison& c) {
    return std::pair(c.low == 0, c.high + 1 == dataset_.attributes()[c.attribute].distinct());
  };
  for (const std::string& text : rule_texts()) {
    const Rule before = parsed(text);
    const Rule after = refined({before})[0].rule;
    const auto a = before.antecedent.comparisons();
    const auto b = after.antecedent.comparisons();
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].attribute, b[i].attribute);
      if (form(a[i]) != std::pair(false, false)) {
        EXPECT_EQ(form(a[i]), form(b[i])) << text;
      }
    }
  }
}

// x2 and c6 have nothing to do with the planted rule; x0's upper bound and c4 have.
TEST_F(RefinementTest, LeavesOutWhatDoesNothing) {
  const std::string planted = "x0 in [12, 19] AND c4 = l2 => c5 = l1";
  const auto text_of = [&](const std::string& text, const BoundGrammar& grammar) {
    const auto records = refined({parsed(text)}, grammar);
    EXPECT_EQ(records.size(), 1U);
    EXPECT_EQ(
        records[0].table,
        make_reference_device()->load(dataset_)->count(std::vector{records[0].rule}, {})[0].table);
    return to_text(records[0].rule, dataset_.attributes());
  };
  const BoundGrammar any = association_grammar(dataset_);
  for (const char* const measure : {"leverage", "phi"}) {
    experiment_.archive_by = measure;
    const std::string alone = text_of(planted, any);
    EXPECT_EQ(text_of("x0 in [12, 19] AND x2 <= 38 AND c4 = l2 => c5 = l1", any), alone);
    EXPECT_EQ(text_of("x0 in [12, 19] AND x2 in [1, 38] AND c4 = l2 => c5 = l1", any), alone);
    EXPECT_EQ(text_of("x0 in [12, 19] AND c4 = l2 AND c6 != l3 => c5 = l1", any), alone);
  }
  EXPECT_EQ(text_of(planted, any), planted);  // by phi
  experiment_.archive_by = "leverage";
  const BoundGrammar two(
      Grammar::parse("<r> ::= <c> AND <n> => <n>\n<c> ::= <interval>\n<n> ::= <equal>\n", "two"),
      dataset_.attributes(), 3);
  EXPECT_EQ(text_of("x0 in [2, 37] AND c6 = l0 => c5 = l1", two).find("x0 in"), 0U);
}

TEST_F(RefinementTest, MeetsTheConstraints) {
  experiment_.archive_by = "confidence";
  experiment_.min_support = {.share = 0, .rows = 60};
  const auto records = refined({parsed("x0 in [5, 24] AND c4 = l2 => c5 = l1")});
  EXPECT_GE(records[0].table.n_both, 60U);
}

// One comparison too few, one too many, one bound too few: each of three rules leads to it.
TEST_F(RefinementTest, FindsTheRuleBesideByContrast) {
  const Rule planted = parsed("x0 in [12, 19] AND c4 = l2 => c5 = l1");
  const auto finds = [&](const std::string& text, const BoundGrammar& grammar) {
    // Attributes that no rule names are not looked at: the other one names c4.
    const auto records = refined({parsed(text), parsed("c4 = l0 => c7 = l0")}, grammar);
    return std::any_of(records.begin(), records.end(),
                       [&](const RuleRecord& record) { return record.rule == planted; });
  };
  const std::vector<std::string> near = {"x0 in [12, 19] => c5 = l1",
                                         "x0 in [12, 19] AND c4 = l2 AND x1 <= 30 => c5 = l1",
                                         "x0 > 11 AND c4 = l2 => c5 = l1"};
  experiment_.archive_by = "contrast";
  for (const std::string& text : near) {
    EXPECT_TRUE(finds(text, association_grammar(dataset_))) << text;
  }
  experiment_.archive_by = "leverage";
  for (const std::string& text : near) {
    EXPECT_EQ(refined({parsed(text)}).size(), 1U) << "only contrast can tell";
  }
  // Where the grammar asks for two comparisons, none is left out or added.
  experiment_.archive_by = "contrast";
  const BoundGrammar two(Grammar::parse("<rule> ::= <c> AND <c> => <equal>\n"
                                        "<c> ::= <equal> | <less_equal> | <greater>\n",
                                        "test"),
                         dataset_.attributes(), 5);
  for (const std::string& text : near) EXPECT_FALSE(finds(text, two)) << text;
}

TEST_F(RefinementTest, LeavesWhatTheGrammarFixes) {
  const BoundGrammar grammar(
      Grammar::parse("<rule> ::= <side> => <equal(c5)>\n<side> ::= \"x0 in [9, 17]\" AND <rest>\n"
                     "<rest> ::= <equal(c4)> | <interval(x1)>\n",
                     "test"),
      dataset_.attributes(), 5);
  const Rule rule = parsed("x0 in [9, 17] AND c4 = l2 => c5 = l1");
  EXPECT_EQ(refined({rule}, grammar)[0].rule, rule);
  EXPECT_EQ(improved_, 0U);
}

TEST_F(RefinementTest, DoesNotDependOnThreads) {
  std::vector<Rule> rules;
  for (const std::string& text : rule_texts()) rules.push_back(parsed(text));
  const auto one = refined(rules, 1);
  const auto three = refined(rules, 3);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    EXPECT_EQ(one[i].rule, three[i].rule);
    EXPECT_EQ(one[i].table, three[i].table);
  }
}

// Fits are asked for together, and what one rule needed is known to the others.
TEST_F(RefinementTest, OfManyRulesIsThatOfEach) {
  std::vector<Rule> rules;
  for (const std::string& text : rule_texts()) rules.push_back(parsed(text));
  rules.push_back(rules.front());
  for (const char* const measure : {"leverage", "phi", "confidence"}) {
    experiment_.archive_by = measure;
    const auto together = refined(rules, 2);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const auto alone = refined({rules[i]});
      EXPECT_EQ(together[i].rule, alone[0].rule) << measure << ' ' << i;
      EXPECT_EQ(together[i].table, alone[0].table);
    }
  }
}

TEST_F(RefinementTest, CountsARuleOnce) {
  const Rule rule = parsed("x0 in [9, 17] AND c4 = l2 => c5 = l1");
  for (const char* const measure : {"contrast", "phi"}) {
    experiment_.archive_by = measure;
    refined({rule});
    const std::uint64_t alone = evaluated_;
    refined({rule, rule});
    EXPECT_EQ(evaluated_, alone) << measure;
  }
}

// Bins of unequal width over values with gaps.
TEST(ExactCodes, AreTheValuesOfTheBins) {
  std::vector<Attribute> exact(2);
  for (const double value : {1.0, 2.5, 4.0, 7.0, 9.0, 12.0}) {
    exact[0].low.push_back(value);
    exact[0].high.push_back(value);
  }
  exact[0].exact_distinct = 6;
  exact[1].kind = AttributeKind::nominal;
  exact[1].labels = {"a", "b", "c"};
  exact[1].exact_distinct = 3;
  std::vector<Attribute> binned = exact;
  binned[0].low = {1.0, 4.0, 9.0};
  binned[0].high = {2.5, 7.0, 12.0};

  const Rule rule = {Expression::conjunction(std::vector<Comparison>{{0, 1, 2}}),
                     Expression::of({1, 2, 2, true})};
  const Rule found = in_exact_codes(rule, binned, exact);
  EXPECT_EQ(found.antecedent.comparisons()[0], (Comparison{0, 2, 5}));
  EXPECT_EQ(found.consequent, rule.consequent);
  const Rule first = {Expression::of({0, 0, 0}), Expression::of({1, 0, 0})};
  EXPECT_EQ(in_exact_codes(first, binned, exact).antecedent.comparisons()[0],
            (Comparison{0, 0, 1}));
}

}  // namespace atl::test
