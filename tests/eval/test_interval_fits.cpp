// The contract of fits, for every kind of device.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/eval/backend.hpp"
#include "tests/eval/interval_groups.hpp"

namespace atl::test {
namespace {

constexpr IntervalRows all_rows{.most = 1U << 20, .enough = 1U << 20};

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
        found += expect_fits_of_reference(data, of, 6, [&](RandomStream& stream) {
          return Groups(stream, data.attributes(), 30);
        });
    }
  }
  EXPECT_GT(found, 500U);
}

TEST(IntervalFits, AWinnerKeepsWhatItFoundOnFewerRows) {
  const RandomTable table = random_table(7, 400, 4, false);
  const Dataset data = make_dataset(table.attributes, table.columns);
  const auto resident = load(data);
  const auto fitter = resident->interval_fitter(all_rows);
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
