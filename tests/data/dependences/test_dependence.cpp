#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "src/core/random.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/data/pair_counts.hpp"

namespace atl::test {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();  // a missing value

/// A table by the values of its rows; numbers, or labels "v0", "v1", ... of a nominal attribute.
class Table {
 public:
  explicit Table(std::size_t rows) : rows_(rows) {}

  template <typename Value>
  std::uint32_t add(const Value& value, AttributeKind kind = AttributeKind::numeric) {
    std::vector<double> values(rows_);
    for (std::size_t row = 0; row < rows_; ++row) values[row] = value(row);
    Attribute attribute;
    attribute.name = std::string(1, static_cast<char>('a' + attributes_.size()));
    attribute.kind = kind;
    std::map<double, std::uint32_t> codes;
    for (const double v : values)
      if (!std::isnan(v)) codes.emplace(v, 0);
    for (auto& [v, code] : codes) {
      code = static_cast<std::uint32_t>(attribute.low.size());
      attribute.low.push_back(v);
    }
    attribute.counts.resize(codes.size());
    std::vector<std::uint32_t> column;
    for (const double v : values) {
      column.push_back(std::isnan(v) ? missing_code : codes.at(v));
      ++(std::isnan(v) ? attribute.missing : attribute.counts[column.back()]);
    }
    attribute.has_missing = attribute.missing > 0;
    attribute.exact_distinct = codes.size();
    attribute.high = attribute.low;
    if (kind != AttributeKind::numeric) {
      for (std::size_t i = 0; i < codes.size(); ++i)
        attribute.labels.push_back("v" + std::to_string(i));
      attribute.low.clear();
      attribute.high.clear();
    }
    attributes_.push_back(std::move(attribute));
    columns_.push_back(std::move(column));
    return static_cast<std::uint32_t>(attributes_.size() - 1);
  }

  Dependences dependences(unsigned threads = 1) const {
    ThreadPool pool(threads);
    return find_dependences(make_dataset(attributes_, columns_, 8192), pool);
  }
  DependencesFound found(unsigned threads = 1) const { return dependences(threads).found(); }

 private:
  std::size_t rows_;
  std::vector<Attribute> attributes_;
  std::vector<std::vector<std::uint32_t>> columns_;
};

/// Values that look random, each column's others.
auto drawn(std::uint32_t slot, std::uint32_t values) {
  return [=](std::size_t row) {
    RandomStream stream({.seed = row, .slot = slot});
    return static_cast<double>(stream.below(values));
  };
}

std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const DependencesFound& found) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Determination& one : found.determinations) pairs.emplace(one.by, one.told);
  return pairs;
}

bool nothing_in(const DependencesFound& found) {
  return found.constants.empty() && found.copies.empty() && found.one_hot.empty() &&
         found.sums.empty() && found.determinations.empty();
}

TEST(Dependence, IsNotFoundWhereThereIsNone) {
  Table table(5000);
  for (std::uint32_t a = 0; a < 12; ++a) table.add(drawn(a, 2 + a * 5));
  const DependencesFound found = table.found();
  EXPECT_TRUE(nothing_in(found));
  EXPECT_TRUE(found.complete);
}

TEST(Dependence, OfConstantsIsThatTheyAre) {
  Table table(100);
  table.add(drawn(0, 4));
  table.add([](std::size_t) { return 3.0; });
  table.add([](std::size_t row) { return row % 2 == 0 ? 7.0 : gap; });
  table.add([](std::size_t) { return gap; });
  const DependencesFound found = table.found();
  EXPECT_EQ(found.constants, (AttributeGroup{1, 2, 3}));
  EXPECT_TRUE(found.copies.empty());
  EXPECT_TRUE(found.determinations.empty());
}

TEST(Dependence, OfCopiesIsOneToOneWhateverTheirValues) {
  Table table(3000);
  const auto level = drawn(1, 16);
  table.add(level);
  table.add([&](std::size_t row) { return 100 - 3 * level(row); });  // scaled
  table.add([&](std::size_t row) { return std::fmod(level(row) * 7, 16); },
            AttributeKind::nominal);                                         // renamed
  table.add([&](std::size_t row) { return std::floor(level(row) / 2); });    // coarser
  table.add([&](std::size_t row) { return row == 17 ? gap : level(row); });  // nearly
  const Dependences dependences = table.dependences();
  EXPECT_EQ(dependences.found().copies, (std::vector<AttributeGroup>{{0, 1, 2}}));
  EXPECT_EQ(pairs_of(dependences.found()),
            (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 3}, {0, 4}, {4, 0}, {4, 3}}));
  EXPECT_TRUE(dependences.tells(2, 1));
  EXPECT_TRUE(dependences.tells(1, 3)) << "by what its copy tells";
  EXPECT_FALSE(dependences.tells(3, 1));
  EXPECT_FALSE(dependences.tells(1, 1));
  EXPECT_EQ(dependences.telling(3), (AttributeGroup{0, 1, 2, 4}));
  EXPECT_TRUE(dependences.telling(0) == (AttributeGroup{1, 2, 4}));
}

// Any two columns of single values are one to one.
TEST(Dependence, OfSingleValuesIsTheirOrder) {
  Table table(2000);
  const auto key = [](std::size_t row) { return std::fmod(static_cast<double>(row) * 617, 2000); };
  table.add(key);
  table.add([](std::size_t row) { return static_cast<double>(row); });
  table.add([&](std::size_t row) { return 2.54 * key(row) + 1; });
  table.add([&](std::size_t row) { return -key(row); });
  table.add([&](std::size_t row) { return key(row) < 1000 ? 0.0 : 1.0; });
  const DependencesFound found = table.found();
  EXPECT_EQ(found.copies, (std::vector<AttributeGroup>{{0, 2, 3}}));
  EXPECT_TRUE(found.determinations.empty()) << "a key tells everything, which says nothing";
}

TEST(Dependence, AllowsForOnePercentOfExceptions) {
  for (const std::size_t one_in : {110U, 90U}) {
    const bool holds = one_in == 110;
    Table table(20000);
    const auto by = drawn(3, 40);
    table.add(by);
    table.add(
        [&](std::size_t row) { return std::floor(by(row) / 4) + (row % one_in == 0 ? 1.0 : 0.0); });
    const DependencesFound found = table.found();
    ASSERT_EQ(found.determinations.size(), holds ? 1U : 0U) << one_in;
    if (!holds) continue;
    const Determination& one = found.determinations.front();
    EXPECT_EQ(one.by, 0U);
    EXPECT_EQ(one.told, 1U);
    EXPECT_EQ(one.rows, 20000U);
    EXPECT_EQ(one.exceptions, 182U);
  }
}

// A value on 99.5% of the rows is predicted by anything to 99.5%.
TEST(Dependence, OnANearlyConstantAttributeHasToTellItsOtherValues) {
  Table table(20000);
  const auto by = drawn(3, 40);
  const auto rare = [](std::size_t row) { return row % 200 == 0; };
  table.add(by);
  table.add([&](std::size_t row) { return rare(row) ? 1.0 : 0.0; });
  table.add([&](std::size_t row) {
    return rare(row) ? 50.0 + drawn(9, 7)(row) : drawn(9, 40)(row);
  });                               // tells it
  table.add([&](std::size_t row) {  // tells it for nine in ten
    return rare(row) && row % 2000 != 0 ? 60.0 : drawn(8, 40)(row);
  });
  EXPECT_EQ(pairs_of(table.found()), (std::set<std::pair<std::uint32_t, std::uint32_t>>{{2, 1}}));
}

TEST(Dependence, OnAnAttributeOfManySingleValuesIsNone) {
  for (const std::size_t single : {4, 6}) {  // of a hundred rows
    Table table(4000);
    table.add([&](std::size_t row) {
      return row % 100 < single ? 1000.0 + static_cast<double>(row) : drawn(2, 20)(row);
    });
    table.add([&](std::size_t row) {
      return row % 100 < single ? 0.0 : std::floor(drawn(2, 20)(row) / 10);
    });
    // The single values' rows are of the overall mode or are not, and few enough in the one case.
    EXPECT_EQ(table.found().determinations.empty(), single == 6) << single;
  }
}

TEST(Dependence, LeavesRowsWithoutAValueOut) {
  Table table(6000);
  const auto by = drawn(5, 30);
  table.add([&](std::size_t row) { return row % 3 == 0 ? gap : by(row); });
  table.add(
      [&](std::size_t row) { return row % 3 == 0 ? drawn(6, 3)(row) : std::floor(by(row) / 10); });
  table.add([&](std::size_t row) { return row % 5 == 0 ? gap : std::floor(by(row) / 6); });
  const DependencesFound found = table.found();
  EXPECT_EQ(pairs_of(found), (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {0, 2}}));
  EXPECT_EQ(found.determinations[0].rows, 4000U);
  EXPECT_EQ(found.determinations[1].rows, 3200U);
}

TEST(Dependence, OfFewRowsMayBeChance) {
  for (const std::size_t rows : {8, 200}) {
    Table table(rows);
    const auto flag = [](std::size_t row) { return row % 4 == 0 ? 1.0 : 0.0; };
    table.add(flag);
    table.add([&](std::size_t row) { return 5 * flag(row); });
    table.add([&](std::size_t row) { return flag(row) == 0 ? drawn(1, 3)(row) : 3.0; });
    table.add([&](std::size_t row) { return 10 + flag(row) + (row % 2 == 1 ? 1 : 0); });
    table.add([&](std::size_t row) { return 10.0 + (row % 2 == 1 ? 1 : 0); });
    const DependencesFound found = table.found();
    EXPECT_EQ(nothing_in(found), rows == 8) << rows;
    if (rows == 8) continue;
    EXPECT_EQ(found.copies, (std::vector<AttributeGroup>{{0, 1}}));
    EXPECT_EQ(found.sums, (std::vector<Sum>{{3, 0, 4}}));
  }
}

TEST(Dependence, OfOneHotGroups) {
  Table table(7000);
  const auto area = drawn(4, 4);
  const auto wind = drawn(5, 3);
  for (double i = 0; i < 4; ++i)
    table.add([&](std::size_t row) { return area(row) == i ? 1.0 : 0.0; });
  table.add(drawn(6, 2));
  table.add(drawn(7, 2));
  for (double i = 0; i < 3; ++i)
    table.add([&](std::size_t row) { return wind(row) == i ? 1.0 : 0.0; });
  table.add([&](std::size_t row) { return wind(row) == 0 ? 0.0 : 1.0; });  // no member, a copy
  const Dependences dependences = table.dependences();
  EXPECT_EQ(dependences.found().one_hot, (std::vector<AttributeGroup>{{0, 1, 2, 3}, {6, 7, 8}}));
  EXPECT_EQ(dependences.found().copies, (std::vector<AttributeGroup>{{6, 9}}));
  EXPECT_TRUE(dependences.found().determinations.empty());
  const auto relates = [&](std::vector<std::uint32_t> antecedent, std::uint32_t consequent) {
    return dependences.relates(antecedent, consequent);
  };
  EXPECT_TRUE(relates({0, 1, 3}, 2));
  EXPECT_TRUE(relates({3, 4, 0, 1}, 2)) << "the others of the group are there";
  EXPECT_TRUE(relates({0}, 2));
  EXPECT_FALSE(relates({0, 4}, 2)) << "may be news";
  EXPECT_FALSE(relates({0, 1}, 7));
  EXPECT_FALSE(relates({}, 2));
  EXPECT_TRUE(relates({9}, 7));
  EXPECT_TRUE(relates({9, 8, 5}, 7));
  EXPECT_EQ(dependences.telling(7), (AttributeGroup{6, 8, 9}));
  EXPECT_EQ(dependences.one_hot_of(9), nullptr);
  ASSERT_NE(dependences.one_hot_of(6), nullptr);
  EXPECT_EQ(*dependences.one_hot_of(6), (AttributeGroup{6, 7, 8}));
}

TEST(Dependence, OfColumnsOfWhichOneRowHasTwoOrNoneIsNoOneHotGroup) {
  for (const double value : {0.0, 1.0}) {
    Table table(70000);  // the row is in no sample, or is
    const auto area = drawn(4, 4);
    for (double i = 0; i < 4; ++i)
      table.add([&](std::size_t row) { return row == 31234 ? value : area(row) == i ? 1.0 : 0.0; });
    EXPECT_TRUE(table.found().one_hot.empty()) << value;
  }
}

TEST(Dependence, OfSumsIsExactOnAllRows) {
  for (const bool exact : {true, false}) {
    Table table(80000);  // more than are sampled
    const auto casual = drawn(1, 300);
    const auto registered = drawn(2, 800);
    table.add(drawn(3, 24));
    table.add(casual);
    table.add([&](std::size_t row) {
      return casual(row) + registered(row) + (!exact && row == 77777 ? 1 : 0);
    });
    table.add(registered);
    const Dependences dependences = table.dependences();
    if (!exact) {
      EXPECT_TRUE(nothing_in(dependences.found()));
      continue;
    }
    EXPECT_EQ(dependences.found().sums, (std::vector<Sum>{{2, 1, 3}}));
    EXPECT_TRUE(dependences.tells(1, 2));
    EXPECT_TRUE(dependences.tells(2, 3));
    EXPECT_FALSE(dependences.tells(1, 3)) << "parts know nothing of each other";
    EXPECT_EQ(dependences.telling(2), (AttributeGroup{1, 3}));
    const std::vector<std::uint32_t> hour = {0}, part = {0, 1}, parts = {2, 1};
    EXPECT_FALSE(dependences.relates(hour, 2));
    EXPECT_TRUE(dependences.relates(part, 2));
    EXPECT_TRUE(dependences.relates(parts, 3));
  }
}

TEST(Dependence, OfTheSampleHasToHoldOnAllRows) {
  Table table(200000);
  const auto by = drawn(1, 50);
  // Exceptions are at the end of a run of rows, from which one is drawn: more than 1% of all.
  table.add(by);
  table.add([&](std::size_t row) { return std::floor(by(row) / 5) + (row % 99 == 0 ? 1.0 : 0.0); });
  table.add(
      [&](std::size_t row) { return std::floor(by(row) / 7) + (row % 150 == 0 ? 1.0 : 0.0); });
  table.add([&](std::size_t row) { return by(row) + (row == 123456 ? 0.5 : 0.0); });
  const DependencesFound found = table.found();
  const auto pairs = pairs_of(found);
  EXPECT_FALSE(pairs.contains({0, 1}));
  EXPECT_TRUE(pairs.contains({0, 2}));
  EXPECT_TRUE(pairs.contains({0, 3}) && pairs.contains({3, 0}));
  EXPECT_TRUE(found.copies.empty());
}

// Where most values of A come once or twice in the sample.
TEST(Dependence, OnRareValuesIsSeenAmongAllRows) {
  Table table(400000);
  const auto by = [](std::size_t row) {
    return row % 10 == 0 ? 10 + drawn(1, 9000)(row) : drawn(2, 10)(row);
  };
  table.add(by);
  table.add([&](std::size_t row) { return std::fmod(by(row) * 31, 7) < 3 ? 1.0 : 0.0; });
  EXPECT_EQ(pairs_of(table.found()), (std::set<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}}));
}

TEST(Dependence, IsTheSameForAnyNumberOfThreads) {
  Table table(3000);
  const auto by = drawn(1, 50);
  table.add(by);
  for (std::uint32_t a = 1; a < 20; ++a)
    table.add([&](std::size_t row) { return std::floor(by(row) / a) + (row % 300 == a ? 1 : 0); });
  const DependencesFound one = table.found(1), three = table.found(3);
  EXPECT_FALSE(one.determinations.empty());
  EXPECT_EQ(one.determinations, three.determinations);
  EXPECT_EQ(one.copies, three.copies);
}

TEST(Dependence, OfNothingOnNoRows) {
  EXPECT_TRUE(nothing_in(Table(0).found()));
  Table one(1);
  one.add(drawn(1, 5));
  one.add(drawn(2, 5));
  EXPECT_EQ(one.found().constants, (AttributeGroup{0, 1}));
  Table two(2);
  two.add([](std::size_t row) { return static_cast<double>(row); });
  two.add([](std::size_t row) { return static_cast<double>(row); });
  EXPECT_TRUE(nothing_in(two.found()));
}

TEST(PairCounts, PredictEachHalfFromTheOther) {
  PairCounts counts(3, 2);
  const auto add = [&](std::uint32_t a, std::uint32_t b, unsigned half, int times) {
    for (int i = 0; i < times; ++i) counts.add(a, b, half);
  };
  add(0, 0, 0, 5);
  add(0, 0, 1, 4);
  add(0, 1, 1, 1);  // an exception, as half 0 says 0
  add(1, 1, 0, 3);
  add(1, 1, 1, 2);
  add(1, 0, 1, 1);  // likewise
  add(2, 1, 0, 2);  // half 1 has no such rows, and its mode is 0
  const auto outcome = counts.outcome();
  EXPECT_EQ(outcome.rows, 18U);
  EXPECT_EQ(outcome.exceptions, 4U);
  EXPECT_EQ(outcome.least_exceptions, 2U);
  EXPECT_EQ(outcome.off_mode, 8U);
  EXPECT_NEAR(outcome.log_ways, std::log(252.0) + std::log(56.0), 1e-9);
}

TEST(PairCounts, AreTheSameForManyValues) {
  PairCounts few(40, 40), many(1U << 20, 1U << 20);
  for (std::size_t row = 0; row < 5000; ++row) {
    const auto a = static_cast<std::uint32_t>(drawn(1, 40)(row));
    const auto b = row % 9 == 0 ? static_cast<std::uint32_t>(drawn(2, 40)(row)) : a / 2;
    few.add(a, b, row % 2);
    many.add(a, b, row % 2);
  }
  EXPECT_EQ(few.outcome().exceptions, many.outcome().exceptions);
  EXPECT_EQ(few.outcome().off_mode, many.outcome().off_mode);
  EXPECT_EQ(few.outcome().log_ways, many.outcome().log_ways);
}

}  // namespace
}  // namespace atl::test
