// Groups of trials drawn at random, for tests of fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "tests/eval/backend.hpp"

namespace atl::test {

/// A trial with what it refers to.
struct OwnedTrial {
  IntervalTrial trial;
  std::vector<Comparison> rest, positives;
  std::vector<std::uint32_t> edges;
  bool as_first = false;  ///< refers to rest and positives of the group's first trial
};

inline Comparison draw_comparison(RandomStream& stream, std::span<const Attribute> attributes) {
  const auto attribute = static_cast<std::uint32_t>(stream.below(attributes.size()));
  const std::uint32_t distinct = attributes[attribute].distinct();
  if (stream.chance(0.15))
    return stream.chance(0.7) ? is_missing(attribute) : is_known(attribute, distinct);
  const auto low = static_cast<std::uint32_t>(stream.below(distinct));
  const auto high = low + static_cast<std::uint32_t>(stream.below(distinct - low));
  return {attribute, low, high, stream.chance(0.3)};
}

inline OwnedTrial draw_trial(RandomStream& stream, std::span<const Attribute> attributes) {
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

/// Groups with what they refer to.
struct Groups {
  Groups() = default;
  /// Of up to five trials, some of which cannot be fitted.
  Groups(RandomStream& stream, std::span<const Attribute> attributes, std::size_t count) {
    for (std::size_t g = 0; g < count; ++g) {
      std::vector<OwnedTrial>& own = owned.emplace_back();
      for (std::uint64_t t = stream.below(6); t > 0; --t)
        own.push_back(draw_trial(stream, attributes));
    }
    refer(stream);
    for (IntervalGroup& group : groups) {
      if (stream.chance(0.5)) group.rows = 20 + stream.below(300);
      if (stream.chance(0.5)) group.rows_to_compare = 10 + stream.below(50);
    }
  }
  Groups(Groups&&) = default;

  /// Makes the groups of what is owned, but for one trial in ten.
  void refer(RandomStream& stream) {
    for (std::vector<OwnedTrial>& own : owned) {
      auto& group = trials.emplace_back();
      for (OwnedTrial& one : own) {
        const OwnedTrial& rows = one.as_first ? own.front() : one;
        one.trial.rest = rows.rest;
        one.trial.positives = rows.positives;
        one.trial.edges = one.edges;
        const bool possible = !stream.chance(0.1);
        group.push_back(possible ? std::optional(one.trial) : std::nullopt);
      }
    }
    for (const auto& group : trials) groups.emplace_back().trials = group;
  }

  std::vector<std::vector<OwnedTrial>> owned;
  std::vector<std::vector<std::optional<IntervalTrial>>> trials;
  std::vector<IntervalGroup> groups;
};

inline std::vector<FittedGroup> fits_of(IntervalFitter& fitter,
                                        std::span<const IntervalGroup> groups) {
  std::vector<FittedGroup> fitted(groups.size());
  fitter.prepare(groups);
  fitter.start();
  fitter.finish();
  fitter.read(fitted);
  return fitted;
}

/// Fits what `draw(stream)` makes, Groups, with the tested backend and with the reference.
/// @param slots  how often, by one fitter, which is reused
/// @return the groups in which something gains
template <typename Draw>
std::size_t expect_fits_of_reference(const Dataset& data, const IntervalRows& rows,
                                     std::uint32_t slots, const Draw& draw) {
  std::size_t found = 0;
  const auto expecting = make_reference_device()->load(data)->interval_fitter(rows);
  const auto resident = load(data);
  const auto fitter = resident->interval_fitter(rows);
  for (std::uint32_t slot = 0; slot < slots; ++slot) {
    RandomStream stream({data.rows(), 0, 0, slot, Purpose::test});
    const Groups groups = draw(stream);
    const auto expected = fits_of(*expecting, groups.groups);
    const auto fitted = fits_of(*fitter, groups.groups);
    for (std::size_t g = 0; g < expected.size(); ++g) {
      EXPECT_EQ(fitted[g].winner, expected[g].winner) << data.rows() << ' ' << slot << ' ' << g;
      EXPECT_EQ(fitted[g].interval, expected[g].interval) << data.rows() << ' ' << slot << ' ' << g;
      found += expected[g].interval ? 1 : 0;
    }
  }
  return found;
}

}  // namespace atl::test
