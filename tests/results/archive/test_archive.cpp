#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/results/archive/archive.hpp"

namespace atl::test {

namespace {

Rule simple_rule(std::uint32_t number, std::uint32_t comparisons = 1) {
  std::vector<Comparison> antecedent;
  for (std::uint32_t i = 0; i < comparisons; ++i) antecedent.push_back({i, number, number, false});
  return {Expression::conjunction(antecedent), Expression::of({9, 0, 0, false})};
}

// Leverage grows with `both`.
RuleRecord record(std::uint32_t number, std::uint64_t both, std::uint32_t generation = 0,
                  std::uint32_t island = 0, std::uint64_t niche = 100) {
  RuleRecord r;
  r.rule = simple_rule(number, 1 + number % 3);
  r.table = {1000, 100, niche, both};
  r.generation = generation;
  r.island = island;
  return r;
}

// The last digit of n_consequent is the structure, its half the bucket, those before it the
// consequent.
Niche niche_of(const RuleRecord& r) {
  return {r.table.n_consequent / 10, r.table.n_consequent / 2, r.table.n_consequent};
}

bool offer(Archive& archive, const RuleRecord& r) {
  return archive.offer(r, niche_of(r));
}

struct Seen {
  Rule rule;
  std::uint32_t generation, island;
  friend bool operator==(const Seen&, const Seen&) = default;
};

std::vector<Seen> content(const Archive& archive) {
  std::vector<Seen> seen;
  for (const RuleRecord& r : archive.rules()) seen.push_back({r.rule, r.generation, r.island});
  return seen;
}

// Few rules, values and niches, so that repeats, ties and quotas matter. Same rule, same counts.
std::vector<RuleRecord> arbitrary_records() {
  const auto numbers = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 40U));
  std::vector<RuleRecord> records;
  for (const std::uint32_t number : numbers) {
    records.push_back(record(number, 30 + number % 4, *rc::gen::inRange(0U, 3U),
                             *rc::gen::inRange(0U, 3U), 98 + number % 5));
  }
  return records;
}

Archive archive_of(std::span<const RuleRecord> records, std::size_t capacity,
                   std::size_t per_bucket) {
  Archive archive(Measure::leverage, capacity, per_bucket);
  for (const RuleRecord& r : records) offer(archive, r);
  return archive;
}

Archive merged(Archive a, const Archive& b) {
  a.merge(b);
  return a;
}

}  // namespace

TEST(Archive, KeepsTheBestByMeasureThenLengthThenRule) {
  Archive archive(Measure::leverage, 3);
  EXPECT_TRUE(offer(archive, record(1, 30)));   // 2 comparisons before the consequent
  EXPECT_TRUE(offer(archive, record(3, 30)));   // 1
  EXPECT_TRUE(offer(archive, record(0, 30)));   // 1, first in order
  EXPECT_FALSE(offer(archive, record(2, 30)));  // 3: too long for what it offers
  EXPECT_TRUE(offer(archive, record(5, 40)));
  EXPECT_EQ(content(archive),
            (std::vector<Seen>{
                {record(5, 0).rule, 0, 0}, {record(0, 0).rule, 0, 0}, {record(3, 0).rule, 0, 0}}));
}

TEST(Archive, ValuesThatDoNotExistComeLast) {
  Archive archive(Measure::confidence, 2);
  RuleRecord never = record(0, 0);
  never.table = {1000, 0, 100, 0};
  EXPECT_TRUE(offer(archive, never));
  EXPECT_TRUE(offer(archive, record(3, 1)));
  EXPECT_EQ(archive.rules().back().rule, never.rule);
  EXPECT_TRUE(offer(archive, record(6, 1)));
  EXPECT_EQ(archive.rules().size(), 2U);
  EXPECT_NE(archive.rules().back().rule, never.rule);
}

TEST(Archive, TheEarlierFindOfOneRuleStays) {
  Archive archive(Measure::leverage, 5);
  offer(archive, record(1, 30, 4, 2));
  EXPECT_FALSE(offer(archive, record(1, 30, 4, 3)));
  EXPECT_FALSE(offer(archive, record(1, 30, 4, 1)));
  EXPECT_EQ(content(archive), (std::vector<Seen>{{record(1, 0).rule, 4, 1}}));
}

TEST(Archive, OfAStructureTheBestFewStay) {
  Archive archive(Measure::leverage, 10);
  for (std::uint32_t i = 0; i < 10; ++i) {
    const bool enters = i < Archive::per_structure || i % 2 == 1;
    EXPECT_EQ(offer(archive, record(i, i % 2 == 1 ? 50 + i : 40 - i)), enters) << i;
  }
  EXPECT_TRUE(offer(archive, record(20, 20, 0, 0, 101)));
  std::vector<std::uint64_t> both;
  for (const RuleRecord& r : archive.rules()) both.push_back(r.table.n_both);
  EXPECT_EQ(both, (std::vector<std::uint64_t>{59, 57, 55, 53, 20}));
}

TEST(Archive, OfANeighbourhoodTheBestFewStay) {
  Archive archive(Measure::leverage, 10, 2);
  EXPECT_TRUE(offer(archive, record(1, 30, 0, 0, 100)));
  EXPECT_TRUE(offer(archive, record(2, 31, 0, 0, 101)));
  EXPECT_FALSE(offer(archive, record(3, 29, 0, 0, 101)));
  EXPECT_TRUE(offer(archive, record(4, 20, 0, 0, 102)));  // weaker, in another bucket
  EXPECT_TRUE(offer(archive, record(5, 32, 0, 0, 101)));  // the first has to go
  std::vector<std::uint64_t> both;
  for (const RuleRecord& r : archive.rules()) both.push_back(r.table.n_both);
  EXPECT_EQ(both, (std::vector<std::uint64_t>{32, 31, 20}));
}

TEST(Archive, OfAConsequentTheBestFewStay) {
  Archive archive(Measure::leverage, 2);
  EXPECT_TRUE(offer(archive, record(1, 30, 0, 0, 100)));
  EXPECT_TRUE(offer(archive, record(2, 31, 0, 0, 101)));
  EXPECT_FALSE(offer(archive, record(3, 29, 0, 0, 102)));
  EXPECT_TRUE(offer(archive, record(4, 20, 0, 0, 110)));  // weaker, on another consequent
  EXPECT_TRUE(offer(archive, record(5, 32, 0, 0, 103)));  // the first has to go
  EXPECT_EQ(archive.size(), 3U);
  std::vector<std::uint64_t> both;
  for (const RuleRecord& r : archive.rules()) both.push_back(r.table.n_both);
  EXPECT_EQ(both, (std::vector<std::uint64_t>{32, 31, 20}));
}

TEST(Archive, ARareClassKeepsItsShareBesideAFrequentOne) {
  Attribute x;
  x.name = "x";
  x.low.resize(64);
  Attribute label;
  label.name = "class";
  label.low = {1, 2};
  label.as_labels = true;
  const std::vector<Attribute> attributes = {x, label};
  Archive archive(Measure::leverage, 8, 2);
  const auto offer_on = [&](std::uint32_t code, std::uint64_t of_class) {
    for (std::uint32_t i = 0; i < 64; ++i) {
      RuleRecord r;
      r.rule = {Expression::of({0, i, i, false}), Expression::of({1, code, code, false})};
      r.table = {10'000, 50, of_class, std::min<std::uint64_t>(of_class, 50) - i % 5};
      r.bucket = i % 7;
      archive.offer(r, niche(r, attributes));
    }
  };
  offer_on(1, 10);  // a thousandth of the rows
  offer_on(0, 5000);
  std::array<int, 2> kept{};
  for (const RuleRecord& r : archive.rules()) ++kept[r.rule.consequent.comparisons()[0].low];
  EXPECT_EQ(kept, (std::array{8, 8}));
}

TEST(Archive, TellsItsBestValueOfAnyMeasure) {
  Archive archive(Measure::leverage, 5);
  EXPECT_TRUE(std::isnan(archive.best(Measure::confidence)));
  offer(archive, record(1, 30));
  offer(archive, record(2, 40));
  EXPECT_DOUBLE_EQ(archive.best(Measure::confidence), 0.4);
}

TEST(Archive, OfCapacityZeroTakesNothing) {
  Archive archive(Measure::leverage, 0);
  EXPECT_FALSE(offer(archive, record(1, 30)));
}

TEST(Archive, MergingIsAssociativeAndCommutative) {
  EXPECT_TRUE(rc::check([] {
    const auto capacity = *rc::gen::inRange<std::size_t>(0, 12);
    const auto near = *rc::gen::inRange<std::size_t>(1, 8);
    const auto a = archive_of(arbitrary_records(), capacity, near);
    const auto b = archive_of(arbitrary_records(), capacity, near);
    const auto c = archive_of(arbitrary_records(), capacity, near);
    RC_ASSERT(content(merged(a, b)) == content(merged(b, a)));
    RC_ASSERT(content(merged(merged(a, b), c)) == content(merged(a, merged(b, c))));
  }));
}

TEST(Archive, PartsMergedEqualTheWhole) {
  EXPECT_TRUE(rc::check([] {
    const auto capacity = *rc::gen::inRange<std::size_t>(0, 12);
    const auto near = *rc::gen::inRange<std::size_t>(1, 8);
    const auto first = arbitrary_records();
    const auto second = arbitrary_records();
    auto all = first;
    all.insert(all.end(), second.begin(), second.end());
    RC_ASSERT(
        content(merged(archive_of(first, capacity, near), archive_of(second, capacity, near))) ==
        content(archive_of(all, capacity, near)));
  }));
}

}  // namespace atl::test
