// The contract of fits, for every kind of device.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/eval/backend.hpp"

namespace atl::test {
namespace {

constexpr IntervalRows all_rows{.most = 1U << 20, .enough = 1U << 20};

/// A trial with what it refers to.
struct OwnedTrial {
  IntervalTrial trial;
  std::vector<Comparison> rest, positives;
  std::vector<std::uint32_t> edges;
};

Comparison draw_comparison(RandomStream& stream, std::span<const Attribute> attributes) {
  const auto attribute = static_cast<std::uint32_t>(stream.below(attributes.size()));
  const std::uint32_t distinct = attributes[attribute].distinct();
  const auto low = static_cast<std::uint32_t>(stream.below(distinct));
  const auto high = low + static_cast<std::uint32_t>(stream.below(distinct - low));
  return {attribute, low, high, stream.chance(0.3)};
}

OwnedTrial draw_trial(RandomStream& stream, std::span<const Attribute> attributes) {
  OwnedTrial owned;
  IntervalTrial& trial = owned.trial;
  trial.attribute = static_cast<std::uint32_t>(stream.below(attributes.size()));
  const std::uint32_t distinct = attributes[trial.attribute].distinct();
  trial.relation = static_cast<BoundRelation>(stream.below(5));
  for (std::uint64_t i = stream.below(3); i > 0; --i)
    owned.rest.push_back(draw_comparison(stream, attributes));
  for (std::uint64_t i = stream.below(3); i > 0; --i)
    owned.positives.push_back(draw_comparison(stream, attributes));
  if (stream.chance(0.5)) {
    const auto rows = static_cast<std::int64_t>(1 + stream.below(9));
    trial.share = PositiveShare{static_cast<std::int64_t>(stream.below(10)) % rows + 0, rows};
  }
  trial.refine_threshold = stream.chance(0.3);
  if (stream.chance(0.3)) trial.through = static_cast<std::uint32_t>(stream.below(distinct));
  const bool names_one =
      trial.relation == BoundRelation::equal || trial.relation == BoundRelation::not_equal;
  if (names_one && stream.chance(0.3))
    trial.only = static_cast<std::uint32_t>(stream.below(distinct));
  if (stream.chance(0.3)) {
    for (std::uint32_t code = 1; code < distinct; ++code)
      if (stream.chance(0.2)) owned.edges.push_back(code);
  }
  return owned;
}

/// Trials in groups of up to five, some of which cannot be fitted.
struct Groups {
  Groups(RandomStream& stream, std::span<const Attribute> attributes, std::size_t count) {
    for (std::size_t g = 0; g < count; ++g) {
      std::vector<OwnedTrial>& own = owned.emplace_back();
      for (std::uint64_t t = stream.below(6); t > 0; --t)
        own.push_back(draw_trial(stream, attributes));
    }
    for (std::vector<OwnedTrial>& own : owned) {
      auto& group = trials.emplace_back();
      for (OwnedTrial& one : own) {
        one.trial.rest = one.rest;
        one.trial.positives = one.positives;
        one.trial.edges = one.edges;
        const bool possible = !stream.chance(0.1);
        group.push_back(possible ? std::optional(one.trial) : std::nullopt);
      }
    }
    for (const auto& group : trials) {
      IntervalGroup& made = groups.emplace_back();
      made.trials = group;
      if (stream.chance(0.5)) made.rows = 20 + stream.below(300);
      if (stream.chance(0.5)) made.rows_to_compare = 10 + stream.below(50);
    }
  }
  std::vector<std::vector<OwnedTrial>> owned;
  std::vector<std::vector<std::optional<IntervalTrial>>> trials;
  std::vector<IntervalGroup> groups;
};

std::vector<FittedGroup> fits_of(IntervalFitter& fitter, std::span<const IntervalGroup> groups) {
  std::vector<FittedGroup> fitted(groups.size());
  fitter.prepare(groups);
  fitter.start();
  fitter.finish();
  fitter.read(fitted);
  return fitted;
}

/// @return the groups in which something gains
std::size_t expect_fits_of_reference(const Dataset& data, const IntervalRows& rows) {
  std::size_t found = 0;
  const auto expecting = make_reference_device()->load(data)->interval_fitter(rows);
  const auto fitter = load(data)->interval_fitter(rows);
  for (std::uint32_t slot = 0; slot < 6; ++slot) {  // of one fitter, which is reused
    RandomStream stream({data.rows(), 0, 0, slot, Purpose::test});
    const Groups groups(stream, data.attributes(), 30);
    const auto expected = fits_of(*expecting, groups.groups);
    const auto fitted = fits_of(*fitter, groups.groups);
    for (std::size_t g = 0; g < expected.size(); ++g) {
      EXPECT_EQ(fitted[g].winner, expected[g].winner);
      EXPECT_EQ(fitted[g].interval, expected[g].interval) << data.rows() << ' ' << slot << ' ' << g;
      found += expected[g].interval ? 1 : 0;
    }
  }
  return found;
}

// Few codes, so that choices tie.
TEST(IntervalFits, EqualTheReference) {
  std::size_t found = 0;
  for (const std::uint64_t rows : {1U, 50U, 400U, 3000U}) {
    for (const bool missing : {false, true}) {
      const RandomTable table = random_table(rows + missing, rows, 8, missing);
      const Dataset data = make_dataset(table.attributes, table.columns, 4096);
      if (std::any_of(data.attributes().begin(), data.attributes().end(),
                      [](const Attribute& a) { return a.distinct() == 0; }))
        continue;
      for (const IntervalRows& of : {all_rows, IntervalRows{300, 100}})
        found += expect_fits_of_reference(data, of);
    }
  }
  EXPECT_GT(found, 500U);
}

TEST(IntervalFits, AWinnerKeepsWhatItFoundOnFewerRows) {
  const RandomTable table = random_table(7, 400, 4, false);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto fitter = load(data)->interval_fitter(all_rows);
  const std::vector<std::optional<IntervalTrial>> none(3);
  EXPECT_EQ(fitter->fit({.trials = none, .rows_to_compare = 5}).winner, 0U);
  EXPECT_FALSE(fitter->fit({.trials = none}).interval);
  EXPECT_FALSE(fitter->fit({}).interval);
}

TEST(IntervalFits, WorkOnSeveralThreads) {
  const RandomTable table = random_table(9, 2000, 8, true);
  const Dataset data = make_dataset(table.attributes, table.columns, 4096);
  const auto resident = load(data);
  RandomStream stream({9, 0, 0, 0, Purpose::test});
  const Groups groups(stream, data.attributes(), 40);
  const auto expected = fits_of(*resident->interval_fitter(all_rows), groups.groups);
  ThreadPool pool(4);
  pool.wait(pool.submit(4, [&](std::size_t, unsigned) {
    const auto fitter = resident->interval_fitter(all_rows);
    for (int round = 0; round < 5; ++round) {
      const auto fitted = fits_of(*fitter, groups.groups);
      for (std::size_t g = 0; g < expected.size(); ++g)
        EXPECT_EQ(fitted[g].interval, expected[g].interval);
    }
  }));
}

}  // namespace
}  // namespace atl::test
