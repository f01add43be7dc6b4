#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/bit_planes.hpp"
#include "src/data/row_codes.hpp"
#include "src/eval/list_decisions.hpp"
#include "src/rules/rule_set_text.hpp"
#include "src/run/lists/baseline_folds.hpp"
#include "src/run/lists/baseline_report.hpp"
#include "src/run/lists/baselines.hpp"
#include "tests/rules/table.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {
namespace {

using Column = std::vector<std::uint32_t>;

/// x of 10 numbers, a colour of 3, and a class of 2 or 3, as the last.
Dataset classified(Column x, Column colour, Column classes) {
  std::vector<Attribute> attributes = {numeric("x", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
                                       nominal("colour", {"blue", "green", "red"}),
                                       nominal("class", {"a", "b", "c"})};
  const std::vector<Column> columns = {std::move(x), std::move(colour), std::move(classes)};
  for (std::size_t a = 0; a < 3; ++a) {
    Attribute& its = attributes[a];
    its.counts.assign(its.distinct(), 0);
    for (const std::uint32_t code : columns[a]) {
      if (code == missing_code) {
        its.has_missing = true;
        ++its.missing;
      } else {
        ++its.counts[code];
      }
    }
  }
  return make_dataset(std::move(attributes), columns);
}

std::string learnt(const Dataset& data, std::string_view name, std::size_t most = 40,
                   std::vector<double> weights = {1, 1, 1}, std::vector<std::string> exclude = {}) {
  const BaselineTable table(data, 2, exclude, std::move(weights));
  const auto its = std::find_if(baselines().begin(), baselines().end(),
                                [&](const Baseline& one) { return one.name == name; });
  return to_text(its->learn(table, most), data.attributes(), data.attributes()[2]);
}

/// Adds rows.
struct Rows {
  Column x, colour, classes;
  void add(std::size_t count, std::uint32_t its_x, std::uint32_t its_colour, std::uint32_t label) {
    x.insert(x.end(), count, its_x);
    colour.insert(colour.end(), count, its_colour);
    classes.insert(classes.end(), count, label);
  }
  Dataset data() const { return classified(x, colour, classes); }
};

TEST(Baselines, MajorityIsTheHeaviestClass) {
  Rows rows;
  rows.add(6, 0, 0, 0);
  rows.add(4, 1, 0, 1);
  EXPECT_EQ(learnt(rows.data(), "majority"), "class = a\n");
  EXPECT_EQ(learnt(rows.data(), "majority", 40, {1, 2, 1}), "class = b\n");
}

TEST(Baselines, OneRuleJoinsValuesToIntervals) {
  Rows rows;
  rows.add(4, 0, 0, 0);
  rows.add(1, 1, 0, 1);  // within the first interval, which has no 6 rows of a yet
  rows.add(3, 2, 1, 0);
  rows.add(7, 3, 1, 1);
  rows.add(8, 5, 0, 1);  // of the same class: joined
  rows.add(6, 6, 1, 0);
  rows.add(2, 9, 0, 2);  // too few for an interval of its own
  EXPECT_EQ(learnt(rows.data(), "one rule"),
            "if x <= 2 then class = a\n"
            "else if x in [3, 5] then class = b\n"
            "else if x > 5 then class = a\n"
            "else class = b\n");
  // 12 of 15 blue and 9 of 16 green rows are not worse than the majority, but less than x.
  EXPECT_EQ(learnt(rows.data(), "one rule", 40, {1, 1, 1}, {"x"}),
            "if colour = blue then class = b\n"
            "else if colour = green then class = a\n"
            "else class = b\n");
}

TEST(Baselines, OneRuleKnowsRowsWithoutAValue) {
  Rows rows;
  rows.add(10, 3, 0, 0);
  rows.add(7, missing_code, 0, 1);
  rows.add(5, 3, 2, 0);
  EXPECT_EQ(learnt(rows.data(), "one rule"),
            "if x is known then class = a\n"
            "else if x is missing then class = b\n"
            "else class = a\n");
}

/// Rows of which a box is `b`, at random otherwise.
Rows with_a_box(std::uint64_t seed, std::size_t count, bool missing) {
  RandomStream stream({seed, 0, 0, 0, Purpose::test});
  Rows rows;
  for (std::size_t i = 0; i < count; ++i) {
    auto x = static_cast<std::uint32_t>(stream.below(10));
    const auto colour = static_cast<std::uint32_t>(stream.below(3));
    if (missing && i % 17 == 0) x = missing_code;
    const bool inside = x != missing_code && x > 2 && x < 7 && colour == 1;
    rows.add(1, x, colour, inside ? 1 : 0);
  }
  return rows;
}

TEST(Baselines, GreedyListFindsABox) {
  const Dataset data = with_a_box(1, 600, false).data();
  const std::string text = learnt(data, "greedy list");
  const RuleSet list = parse_rule_set(text, data.attributes(), data.attributes()[2], "the list");
  const auto deciders = deciding_rules(list, data);
  for (std::uint64_t row = 0; row < data.rows(); ++row) {
    const std::uint32_t label =
        deciders[row] < list.rules.size() ? list.rules[deciders[row]].label : list.default_class;
    EXPECT_EQ(label, data.code(row, 2)) << text;
  }
  // It ends where no rule gains anything more, or where it may have no more.
  EXPECT_LT(list.rules.size(), 10U) << text;
  const std::string shorter = learnt(data, "greedy list", 2);
  EXPECT_EQ(std::count(shorter.begin(), shorter.end(), '\n'), 3) << shorter;
  Rows pure;
  pure.add(9, 1, 1, 1);
  EXPECT_EQ(learnt(pure.data(), "greedy list"), "class = b\n");
  EXPECT_EQ(learnt(pure.data(), "tree"), "class = b\n");
  EXPECT_EQ(learnt(pure.data(), "one rule"), "class = b\n");
}

TEST(Baselines, ATreeHasSoManyLeaves) {
  const Dataset data = with_a_box(2, 600, true).data();
  EXPECT_EQ(learnt(data, "tree", 1), "class = a\n");
  const std::string text = learnt(data, "tree", 3);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3) << text;
}

TEST(BaselineFolds, CountsAreOfTheRowsOfEachSideAndBytesComeBack) {
  Rows rows = with_a_box(3, 400, true);
  std::vector<std::uint8_t> folds, others;
  for (std::size_t i = 0; i < 400; ++i) {
    folds.push_back(static_cast<std::uint8_t>(i % 4));
    if (i % 50 == 3) rows.classes[i] = missing_code;
    others.push_back(i % 4 != 1 && rows.classes[i] != missing_code);
  }
  const Dataset exact = rows.data();
  const Dataset training = row_subset(exact, others, [](const Attribute&) { return 0U; });
  Experiment experiment = default_experiment("rule-sets");
  experiment.settings.set(
      {.name = "max_rules", .kind = KeyKind::rules, .placeholder = "", .help = ""}, 5);
  const auto found = learn_baselines(experiment, training, {exact, 2, rows.classes, folds}, 1);
  ASSERT_EQ(found.size(), baselines().size());
  EXPECT_EQ(found.front().size, 0U);
  for (const BaselineFold& one : found) {
    std::uint64_t learnt_rows = 0, tested = 0;
    for (const std::uint64_t n : one.learnt) learnt_rows += n;
    for (const std::uint64_t n : one.tested) tested += n;
    EXPECT_EQ(learnt_rows, training.rows());
    EXPECT_EQ(tested, 96U) << "four have no class";
    EXPECT_EQ(one.matrix(3).rows(), 96U);
  }
  EXPECT_GE(found.back().matrix(3).correct(), 90U) << "the tree has learnt the box";
  EXPECT_LE(found.back().size, 5U);

  ByteWriter out;
  put(out, found);
  const Bytes bytes = std::move(out).take();
  ByteReader in(bytes);
  EXPECT_EQ(get_baselines(in, 3), found);
  in.expect_end();
  ByteReader other(bytes);
  EXPECT_THROW(get_baselines(other, 4), BadBytes);
}

TEST(BaselineFolds, ProbabilitiesAreOfTheRowsLearntFrom) {
  BaselineFold its;
  its.labels = {0, 2};
  its.learnt = {7, 0, 1, 1, 0, 3};  // none of the class between
  its.tested = {2, 1, 1, 1, 1, 3};
  const ProbabilityFigures told = its.told(3);
  EXPECT_EQ(told.rows, 7U) << "rows of a class that it has not seen have no probability";
  const double share = 9.0 / 14, first = (7 + 2 * share) / 10, second = (1 + 2 * share) / 6;
  EXPECT_NEAR(
      told.log_loss,
      -(2 * std::log(first) + std::log(1 - first) + std::log(second) + 3 * std::log(1 - second)) /
          7,
      1e-12);
  EXPECT_DOUBLE_EQ(told.auc, (2 * 3 + 0.5 * (2 * 1 + 1 * 3)) / 12);
  EXPECT_NEAR(told.brier,
              2 *
                  (2 * (1 - first) * (1 - first) + first * first + (1 - second) * (1 - second) +
                   3 * second * second) /
                  7,
              1e-12);
  its.tested = {0, 1, 0, 0, 1, 0};
  EXPECT_TRUE(std::isnan(its.told(3).log_loss));
}

TEST(BaselineReport, TellsWhatTheListGainsFoldByFold) {
  ConfusionMatrix first(2), second(2);
  first.add(0, 0, 8);
  first.add(1, 1, 2);
  second.add(0, 0, 7);
  second.add(0, 1, 1);
  second.add(1, 1, 2);
  BaselineFold its;
  its.labels = {0};
  its.learnt = {8, 2};
  its.tested = {8, 2};  // 80% right, mean recall 50%
  const std::vector<BaselineFold> all(baselines().size(), its);
  const ProbabilityFigures told = {.rows = 10, .log_loss = 0.25, .brier = 0.125, .auc = 0.75};
  const ProbabilityFigures untold;
  const std::vector<ComparedFold> folds = {{0, 0, 2, first, told, all},
                                           {0, 1, 3, second, untold, all}};
  const std::string text = baselines_text(folds);
  EXPECT_NE(text.find("the list      2.5  95.00%  96.88%    0.250 0.750\n"), std::string::npos)
      << text;
  EXPECT_NE(
      text.find("majority      0.0  80.00%  50.00%    0.501 0.500  +15.00 +- 7.07  +46.88 +- 4.42"
                "\n"),
      std::string::npos)
      << text;
  const auto record = baselines_json(folds)[0];
  EXPECT_EQ(record["learner"], "majority");
  EXPECT_DOUBLE_EQ(record["accuracy"], 0.8);
  EXPECT_DOUBLE_EQ(record["list_gains"]["accuracy"]["mean"], 0.15);
  EXPECT_DOUBLE_EQ(record["list_gains"]["auc"]["mean"], 0.25) << "of the fold that has one";
  EXPECT_DOUBLE_EQ(record["auc"], 0.5);
  EXPECT_EQ(record["folds"][1]["correct"], 8);
}

}  // namespace
}  // namespace atl::test
