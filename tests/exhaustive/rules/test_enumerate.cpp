#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/eval/device.hpp"
#include "src/exhaustive/rules/beam.hpp"
#include "src/exhaustive/rules/duration.hpp"
#include "src/exhaustive/rules/enumerate.hpp"
#include "src/exhaustive/rules/space.hpp"
#include "src/measures/measures.hpp"
#include "src/results/choice/redundancy.hpp"
#include "src/rules/rule_text.hpp"
#include "tests/exhaustive/rules/small_table.hpp"

namespace atl::test {

namespace {

void add_rules(const Items& items, std::vector<Comparison>& antecedent, std::size_t next,
               std::uint32_t max_length, std::vector<Rule>& rules) {
  const auto on_antecedent = [&](std::uint32_t attribute) {
    return std::any_of(antecedent.begin(), antecedent.end(),
                       [&](const Comparison& c) { return c.attribute == attribute; });
  };
  for (std::size_t y = 0; y < items.size() && !antecedent.empty(); ++y) {
    const Comparison& consequent = items.comparison(static_cast<Item>(y));
    if (on_antecedent(consequent.attribute)) continue;
    rules.push_back({Expression::conjunction(antecedent), Expression::of(consequent)});
  }
  for (std::size_t i = next; i < items.size() && antecedent.size() + 2 <= max_length; ++i) {
    const Comparison& item = items.comparison(static_cast<Item>(i));
    if (on_antecedent(item.attribute)) continue;
    antecedent.push_back(item);
    add_rules(items, antecedent, i + 1, max_length, rules);
    antecedent.pop_back();
  }
}

bool is_feasible(const ContingencyTable& t, const RuleLimits& limits) {
  return t.n_both * t.n > t.n_antecedent * t.n_consequent && t.n_both >= limits.min_count &&
         static_cast<double>(t.n_consequent) / static_cast<double>(t.n) <= limits.max_consequent;
}

double leverage(const RuleRecord& record) {
  return evaluate(Measure::leverage, record.table);
}

// All rules counted by the reference device, then the filter of final rules, then X => Y and
// Y => X taken as one.
std::vector<RuleRecord> brute_force(const Dataset& dataset, const RuleLimits& limits,
                                    std::size_t top, OrderedItems ordered = {},
                                    const std::optional<Comparison>& target = {}) {
  std::vector<Rule> rules;
  std::vector<Comparison> none;
  add_rules(Items(dataset, ordered), none, 0, limits.max_length, rules);
  if (target) {
    std::erase_if(rules, [&](const Rule& r) { return r.consequent.comparisons()[0] != *target; });
  }
  CountingOptions options;
  options.coverage_hashes = true;
  const auto resident = make_reference_device()->load(dataset);
  const std::vector<RuleStatistics> all = resident->count(rules, options);

  std::vector<RuleRecord> records;
  std::vector<RuleStatistics> counts;
  std::map<Rule, std::array<std::uint64_t, 2>> sides;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!is_feasible(all[i].table, limits)) continue;
    RuleRecord record;
    record.rule = rules[i];
    record.table = all[i].table;
    records.push_back(record);
    counts.push_back(all[i]);
    sides[rules[i]] = all[i].coverage_hash;
  }
  std::vector<RuleRecord> kept = remove_redundant(records, counts, dataset.attributes());
  std::sort(kept.begin(), kept.end(),
            [](const RuleRecord& a, const RuleRecord& b) { return a.rule < b.rule; });
  std::map<std::array<std::uint64_t, 2>, bool> seen;
  std::erase_if(kept, [&](const RuleRecord& record) {
    auto both = sides[record.rule];
    std::sort(both.begin(), both.end());
    return std::exchange(seen[both], true);
  });
  std::stable_sort(kept.begin(), kept.end(), [](const RuleRecord& a, const RuleRecord& b) {
    return leverage(a) > leverage(b);
  });
  std::size_t end = std::min(top, kept.size());
  while (end > 0 && end < kept.size() && leverage(kept[end]) == leverage(kept[top - 1])) ++end;
  kept.resize(end);
  return kept;
}

std::vector<std::string> texts(const std::vector<RuleRecord>& records, const Dataset& dataset) {
  std::vector<std::string> lines;
  lines.reserve(records.size());
  for (const RuleRecord& record : records) {
    lines.push_back(to_text(record.rule, dataset.attributes()) + " " +
                    std::to_string(record.table.n_antecedent) + " " +
                    std::to_string(record.table.n_consequent) + " " +
                    std::to_string(record.table.n_both) + " " + std::to_string(record.table.n));
  }
  return lines;
}

std::vector<std::string> enumerated(const Dataset& dataset, const RuleLimits& limits,
                                    std::size_t top, unsigned threads = 1,
                                    OrderedItems ordered = {}, const ItemAim& aim = {}) {
  ThreadPool pool(threads);
  return texts(enumerate_rules(Items(dataset, ordered, aim), limits, top, pool).rules, dataset);
}

}  // namespace

TEST(Enumerate, FindsWhatBruteForceFinds) {
  EXPECT_TRUE(rc::check([] {
    const Dataset dataset = small_table(*rc::gen::arbitrary<std::uint64_t>());
    RuleLimits limits;
    limits.max_length = *rc::gen::inRange<std::uint32_t>(2, 6);
    limits.min_count = *rc::gen::inRange<std::uint64_t>(1, 5);
    limits.max_consequent = *rc::gen::element(0.3, 0.9, 1.0);
    const auto top = *rc::gen::inRange<std::size_t>(1, 30);
    RC_ASSERT(enumerated(dataset, limits, top) ==
              texts(brute_force(dataset, limits, top), dataset));
  }));
}

TEST(Enumerate, FindsWhatBruteForceFindsOfIntervals) {
  EXPECT_TRUE(rc::check([] {
    const Dataset dataset = small_ordered_table(*rc::gen::arbitrary<std::uint64_t>());
    RuleLimits limits;
    limits.max_length = *rc::gen::inRange<std::uint32_t>(2, 4);
    limits.min_count = *rc::gen::inRange<std::uint64_t>(1, 5);
    const auto top = *rc::gen::inRange<std::size_t>(1, 30);
    constexpr auto intervals = OrderedItems::intervals;
    RC_ASSERT(enumerated(dataset, limits, top, 1, intervals) ==
              texts(brute_force(dataset, limits, top, intervals), dataset));
  }));
}

TEST(Enumerate, FindsWhatBruteForceFindsOfATarget) {
  EXPECT_TRUE(rc::check([] {
    const Dataset dataset = small_ordered_table(*rc::gen::arbitrary<std::uint64_t>());
    constexpr auto intervals = OrderedItems::intervals;
    const Items items(dataset, intervals);
    const auto place = *rc::gen::inRange<std::size_t>(0, items.size());
    const Comparison target = items.comparison(static_cast<Item>(place));
    const ItemAim aim{{}, {target}};
    RuleLimits limits;
    limits.max_length = *rc::gen::inRange<std::uint32_t>(2, 4);
    RC_ASSERT(enumerated(dataset, limits, 20, 1, intervals, aim) ==
              texts(brute_force(dataset, limits, 20, intervals, target), dataset));
    const Items aimed(dataset, intervals, aim);
    ThreadPool pool(1);
    RC_ASSERT(enumerate_rules(aimed, limits, 20, pool).counted <=
              space_size(aimed, limits.max_length));
  }));
}

/// X => Y and Y => X once.
std::uint64_t different_rules(const Items& items, std::uint32_t max_length) {
  std::vector<Rule> rules;
  std::vector<Comparison> none;
  add_rules(items, none, 0, max_length, rules);
  const auto pairs = std::count_if(rules.begin(), rules.end(),
                                   [](const Rule& rule) { return rule.comparisons() == 2; });
  return rules.size() - static_cast<std::uint64_t>(pairs / 2);
}

TEST(Enumerate, CountsNoMoreRulesThanThereAre) {
  EXPECT_TRUE(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const bool intervals = *rc::gen::arbitrary<bool>();
    const Dataset dataset = intervals ? small_ordered_table(seed) : small_table(seed);
    const Items items(dataset, intervals ? OrderedItems::intervals : OrderedItems::labels);
    RuleLimits limits;
    limits.max_length = *rc::gen::inRange<std::uint32_t>(2, 5);
    const std::uint64_t space = space_size(items.by_attribute(), limits.max_length);
    RC_ASSERT(space == different_rules(items, limits.max_length));
    ThreadPool pool(1);
    const MinedRules mined = enumerate_rules(items, limits, 10, pool);
    RC_ASSERT(mined.counted <= space);
    RC_ASSERT(mined.counted >= space_size(items.by_attribute(), 2));
  }));
}

TEST(Enumerate, StopsWhereItMayCountNoMore) {
  const Dataset dataset = small_table(4);
  ThreadPool pool(1);
  const MinedRules all = enumerate_rules(Items(dataset), {}, 10, pool);
  EXPECT_TRUE(all.complete);
  ASSERT_EQ(all.by_length.size(), 4U);
  EXPECT_EQ(std::accumulate(all.by_length.begin(), all.by_length.end(), std::uint64_t{0}),
            all.evaluated);
  const MinedRules some = enumerate_rules(Items(dataset), {}, 10, pool, 1);
  EXPECT_FALSE(some.complete);
  EXPECT_LT(some.evaluated, all.evaluated);
}

TEST(EnumerationSeconds, AreToldOfSmallTables) {
  ThreadPool pool(1);
  const auto seconds = enumeration_seconds(Items(small_table(4)), {}, 10, pool);
  ASSERT_TRUE(seconds);
  EXPECT_GT(*seconds, 0);
  EXPECT_LT(*seconds, 60);
  // 4000 labels: their pairs are too many to try.
  std::vector<std::vector<std::uint32_t>> columns(2, std::vector<std::uint32_t>(40'000));
  for (std::uint32_t r = 0; r < 40'000; ++r) columns[0][r] = columns[1][r] = r % 2000;
  EXPECT_FALSE(enumeration_seconds(Items(table_of_labels(columns)), {}, 10, pool));
}

TEST(Enumerate, WritesAllThatAreAsGoodAsTheLast) {
  // a2 is a0 with the labels exchanged; a1 and a3 have less to do with them.
  const Dataset dataset = table_of_labels({{0, 0, 1, 1, 0, 0, 1, 1},
                                           {0, 0, 1, 1, 0, 1, 0, 1},
                                           {1, 1, 0, 0, 1, 1, 0, 0},
                                           {0, 1, 0, 1, 0, 0, 1, 1}});
  const auto best = enumerated(dataset, {}, 1);
  EXPECT_EQ(best, texts(brute_force(dataset, {}, 1), dataset));
  // a0 = l0 and a2 = l1 cover the same rows, a0 = l1 and a2 = l0 the others.
  EXPECT_EQ(best,
            (std::vector<std::string>{"a0 = l0 => a2 = l1 4 4 4 8", "a0 = l1 => a2 = l0 4 4 4 8"}));
}

TEST(Enumerate, NothingIsFoundWhereNothingIs) {
  const Dataset independent = table_of_labels({{0, 0, 1, 1}, {0, 1, 0, 1}});
  EXPECT_TRUE(enumerated(independent, {}, 10).empty());
  const Dataset constant = table_of_labels({{0, 0, 0, 0}, {0, 1, 0, 1}});
  EXPECT_TRUE(enumerated(constant, {}, 10).empty());
}

TEST(Enumerate, ThreadsChangeNothing) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Dataset dataset = small_table(seed);
    EXPECT_EQ(enumerated(dataset, {}, 20, 1), enumerated(dataset, {}, 20, 3));
  }
}

TEST(Enumerate, CountsFarFewerRulesThanThereAre) {
  // Of 12 attributes two decide a third; the rest is noise.
  RandomStream draw({1, 0, 0, 0, Purpose::test});
  std::vector<std::vector<std::uint32_t>> columns(12, std::vector<std::uint32_t>(500));
  for (std::size_t r = 0; r < 500; ++r) {
    for (auto& column : columns) column[r] = static_cast<std::uint32_t>(draw.below(3));
    columns[11][r] = columns[0][r] == 0 && columns[5][r] == 0 ? 1 : 0;
  }
  const Dataset dataset = table_of_labels(columns);
  ThreadPool pool(1);
  const MinedRules mined = enumerate_rules(Items(dataset), {}, 1, pool);
  ASSERT_EQ(mined.rules.size(), 1U);
  EXPECT_EQ(to_text(mined.rules[0].rule, dataset.attributes()), "a0 = l0 AND a5 = l0 => a11 = l1");
  EXPECT_LT(mined.evaluated, 20'000U);  // of several millions
}

TEST(BeamSearch, FindsNothingThatIsNotThereAndKeepsToItsBudget) {
  EXPECT_TRUE(rc::check([] {
    const Dataset dataset = small_table(*rc::gen::arbitrary<std::uint64_t>());
    const auto budget = *rc::gen::inRange<std::uint64_t>(1, 400);
    const Items items(dataset);
    const MinedRules mined = beam_search(items, {}, 1000, budget);
    RC_ASSERT(mined.evaluated <= budget);
    const auto resident = make_reference_device()->load(dataset);
    std::vector<Rule> rules;
    for (const RuleRecord& record : mined.rules) rules.push_back(record.rule);
    const std::vector<RuleStatistics> counts = resident->count(rules, {});
    for (std::size_t i = 0; i < rules.size(); ++i) {
      RC_ASSERT(counts[i].table == mined.rules[i].table);
      RC_ASSERT(is_feasible(counts[i].table, {}));
    }
  }));
}

TEST(BeamSearch, FindsTheBestPairsOnceItCanCountThemAll) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Dataset dataset = small_table(seed);
    const Items items(dataset);
    RuleLimits limits;
    limits.max_length = 2;
    const MinedRules mined = beam_search(items, limits, 10, 100'000);
    EXPECT_EQ(texts(mined.rules, dataset), enumerated(dataset, limits, 10));
  }
}

}  // namespace atl::test
