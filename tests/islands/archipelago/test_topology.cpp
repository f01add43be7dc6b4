#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "islands/archipelago/topology.hpp"
#include "tests/support/default_experiment.hpp"

namespace atl::test {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

Experiment experiment_of(const std::string& topology, std::uint32_t islands,
                         std::vector<Edge> edges = {}) {
  Experiment experiment = default_experiment("niching");
  experiment.topology = topology;
  experiment.islands = islands;
  experiment.edges = std::move(edges);
  experiment.validate();
  return experiment;
}

Lists destinations(const Experiment& experiment, std::uint32_t generation = 10) {
  std::vector<std::uint32_t> all(experiment.islands);
  std::iota(all.begin(), all.end(), 0U);
  return Topology(experiment).destinations(all, generation);
}
Lists destinations(const std::string& topology, std::uint32_t islands) {
  return destinations(experiment_of(topology, islands));
}

bool ascending(const std::vector<std::uint32_t>& list) {
  return std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
}

bool reaches_all(const Lists& to) {
  std::set<std::uint32_t> seen{0};
  std::vector<std::uint32_t> next{0};
  while (!next.empty()) {
    const std::uint32_t island = next.back();
    next.pop_back();
    for (const std::uint32_t other : to[island]) {
      if (seen.insert(other).second) next.push_back(other);
    }
  }
  return seen.size() == to.size();
}

TEST(Topology, AsDrawn) {
  EXPECT_EQ(destinations("none", 3), (Lists{{}, {}, {}}));
  EXPECT_EQ(destinations("ring", 4), (Lists{{1}, {2}, {3}, {0}}));
  EXPECT_EQ(destinations("two-way-ring", 4), (Lists{{1, 3}, {0, 2}, {1, 3}, {0, 2}}));
  EXPECT_EQ(destinations("star", 4), (Lists{{1, 2, 3}, {0}, {0}, {0}}));
  EXPECT_EQ(destinations("complete", 3), (Lists{{1, 2}, {0, 2}, {0, 1}}));
  // 0 1 2
  // 3 4 5
  EXPECT_EQ(destinations("torus", 6),
            (Lists{{1, 2, 3}, {0, 2, 4}, {0, 1, 5}, {0, 4, 5}, {1, 3, 5}, {2, 3, 4}}));
  EXPECT_EQ(destinations("hypercube", 4), (Lists{{1, 2}, {0, 3}, {0, 3}, {1, 2}}));
  EXPECT_EQ(destinations(experiment_of("edges", 4, {{0, 3}, {1, 0}, {1, 2}})),
            (Lists{{3}, {0, 2}, {}, {}}));
}

TEST(Topology, ATorusHasFourNeighboursWhereThereIsRoom) {
  for (const auto& to : destinations("torus", 20)) EXPECT_EQ(to.size(), 4U);  // 4 x 5
  for (const auto& to : destinations("torus", 7)) EXPECT_EQ(to.size(), 2U);   // 1 x 7
}

TEST(Topology, NobodySendsToItselfAndAllAreReached) {
  for (const char* name : {"ring", "two-way-ring", "torus", "hypercube", "star", "complete"}) {
    for (const std::uint32_t islands : {1U, 2U, 3U, 4U, 7U, 12U, 37U, 64U}) {
      const Lists to = destinations(name, islands);
      EXPECT_TRUE(reaches_all(to)) << name << ' ' << islands;
      for (std::uint32_t i = 0; i < islands; ++i) {
        EXPECT_TRUE(ascending(to[i]));
        EXPECT_EQ(std::count(to[i].begin(), to[i].end(), i), 0);
        for (const std::uint32_t other : to[i]) {
          if (std::string(name) == "ring") continue;
          EXPECT_EQ(std::count(to[other].begin(), to[other].end(), i), 1) << "both ways";
        }
      }
    }
  }
}

TEST(Topology, RandomDrawsAsManySourcesAnewEachTime) {
  const Experiment experiment = experiment_of("random:3", 12);
  std::map<Edge, int> seen;
  constexpr int draws = 400;
  for (std::uint32_t generation = 0; generation < draws; ++generation) {
    const Lists to = destinations(experiment, generation);
    std::vector<std::uint32_t> sources(12, 0);
    for (std::uint32_t from = 0; from < 12; ++from) {
      EXPECT_TRUE(ascending(to[from]));
      for (const std::uint32_t island : to[from]) {
        EXPECT_NE(island, from);
        ++sources[island];
        ++seen[{from, island}];
      }
    }
    EXPECT_EQ(sources, std::vector<std::uint32_t>(12, 3));
  }
  EXPECT_NE(destinations(experiment, 1), destinations(experiment, 2));
  EXPECT_EQ(destinations(experiment, 1), destinations(experiment, 1));
  ASSERT_EQ(seen.size(), 12U * 11);
  for (const auto& [edge, times] : seen) EXPECT_NEAR(times, draws * 3.0 / 11, 45) << edge.from;
}

TEST(Topology, EachRankSeesItsPartOfTheSame) {
  for (const char* name : {"random:5", "torus", "star"}) {
    const Experiment experiment = experiment_of(name, 30);
    const Lists all = destinations(experiment, 7);
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
      std::vector<std::uint32_t> own;
      Lists expected;
      for (std::uint32_t i = rank; i < 30; i += 4) {
        own.push_back(i);
        expected.push_back(all[i]);
      }
      EXPECT_EQ(Topology(experiment).destinations(own, 7), expected) << name;
    }
  }
}

TEST(Topology, SourcesAreDestinationsSeenFromTheOtherEnd) {
  std::vector<Experiment> experiments = {
      experiment_of("edges", 7, {{0, 3}, {1, 0}, {1, 2}, {5, 0}, {6, 0}})};
  for (const char* name :
       {"none", "ring", "two-way-ring", "torus", "hypercube", "star", "complete", "random:3"}) {
    for (const std::uint32_t islands : {5U, 12U}) {
      experiments.push_back(experiment_of(name, islands));
    }
  }
  for (const Experiment& experiment : experiments) {
    Lists expected(experiment.islands);
    const Lists to = destinations(experiment);
    for (std::uint32_t from = 0; from < experiment.islands; ++from) {
      for (const std::uint32_t island : to[from]) expected[island].push_back(from);
    }
    std::vector<std::uint32_t> all(experiment.islands);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(Topology(experiment).sources(all, 10), expected) << experiment.topology;
    EXPECT_EQ(Topology(experiment).sources({&all[3], 1}, 10), Lists{expected[3]});
  }
}

}  // namespace
}  // namespace atl::test
