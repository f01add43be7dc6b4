// The measures beside the figures of R's package arules for the same tables.
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/text/number.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

const std::map<std::string, Measure> names = {
    {"support", Measure::support},
    {"confidence", Measure::confidence},
    {"lift", Measure::lift},
    {"leverage", Measure::leverage},
    {"conviction", Measure::conviction},
    {"certainty", Measure::certainty_factor},
    {"coverage", Measure::coverage},
    {"rhsSupport", Measure::rhs_support},
    {"addedValue", Measure::added_value},
    {"cosine", Measure::cosine},
    {"jaccard", Measure::jaccard},
    {"kulczynski", Measure::kulczynski},
    {"imbalance", Measure::imbalance},
    {"maxconfidence", Measure::maxconfidence},
    {"phi", Measure::phi},
    {"chiSquared", Measure::chi_squared},
    {"fishersExactTest", Measure::fishers_exact_test},
    {"oddsRatio", Measure::odds_ratio},
    {"relativeRisk", Measure::relative_risk},
    {"yuleQ", Measure::yule_q},
    {"yuleY", Measure::yule_y},
    {"jMeasure", Measure::j_measure},
    {"mutualInformation", Measure::mutual_information},
    {"gini", Measure::gini},
    {"laplace", Measure::laplace},
    {"sebag", Measure::sebag},
    {"counterexample", Measure::counterexample},
    {"confirmedConfidence", Measure::confirmed_confidence},
    {"casualSupport", Measure::casual_support},
    {"casualConfidence", Measure::casual_confidence},
    {"varyingLiaison", Measure::varying_liaison},
    {"lerman", Measure::lerman},
    {"implicationIndex", Measure::implication_index},
    {"doc", Measure::doc},
    {"kappa", Measure::kappa},
    {"RLD", Measure::rld},
    {"ralambondrainy", Measure::ralambondrainy},
    {"rulePowerFactor", Measure::rule_power_factor},
    {"importance", Measure::importance},
    {"lambda", Measure::lambda}};

// Where arules computes inf / inf or 0 log 0, the value is known.
const std::set<Measure> limits = {Measure::yule_q, Measure::yule_y, Measure::j_measure,
                                  Measure::mutual_information};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  if (line.ends_with(',')) fields.emplace_back();
  return fields;
}

double figure(const std::string& text) {
  if (text.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return parse_number(text).value();
}

void expect_agreement(Measure measure, const ContingencyTable& table, double arules) {
  const double ours = evaluate(measure, table);
  const auto where = testing::Message() << info(measure).name << " of " << table.n << ' '
                                        << table.n_antecedent << ' ' << table.n_consequent << ' '
                                        << table.n_both << ": " << ours << ", arules " << arules;
  if (std::isnan(arules)) {
    EXPECT_TRUE(std::isnan(ours) || limits.contains(measure)) << where;
  } else if (std::isinf(arules)) {
    EXPECT_EQ(ours, arules) << where;
  } else {
    // The second term where figures cancel to nearly nothing.
    EXPECT_LE(std::abs(ours - arules), 1e-9 * std::abs(arules) + 1e-14) << where;
  }
}

TEST(Arules, GivesTheSameFiguresForTheSameTables) {
  std::ifstream in(ATOLL_SOURCE "/tests/measures/arules_measures.csv");
  std::string line;
  ASSERT_TRUE(std::getline(in, line) && line.find("arules 1.7.13") != std::string::npos) << line;
  ASSERT_TRUE(std::getline(in, line));
  const std::vector<std::string> header = fields_of(line);
  ASSERT_EQ(header.size(), 4 + names.size());
  std::size_t tables = 0;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = fields_of(line);
    ASSERT_EQ(fields.size(), header.size()) << line;
    const auto count = [&](std::size_t i) { return std::stoull(fields[i]); };
    const ContingencyTable table{count(0), count(1), count(2), count(3)};
    // Below independence arules goes on with the upper branch's formula.
    const bool attracts = table.n_both * table.n >= table.n_antecedent * table.n_consequent;
    for (std::size_t i = 4; i < fields.size(); ++i) {
      const Measure measure = names.at(header[i]);
      if (fields[i] == "-") continue;
      if (measure == Measure::certainty_factor && (!attracts || table.n_consequent == table.n)) {
        continue;
      }
      expect_agreement(measure, table, figure(fields[i]));
    }
    ++tables;
  }
  EXPECT_EQ(tables, 44U);
}

}  // namespace
}  // namespace atl
