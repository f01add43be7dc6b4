#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "src/results/choice/front_extensions.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/results/choice/wide_table.hpp"

namespace atl::test {
namespace {

using Found = std::vector<std::tuple<double, std::uint32_t, FrontPart>>;

/// The most certain extensions that have a size, so many and those as certain as the last.
Found best_of(std::span<const FrontExtension> found, const FrontSizes& sizes, std::size_t size,
              std::size_t count) {
  Found best;
  for (const FrontExtension& e : found)
    if (sizes.of(e.rows) > size) best.emplace_back(e.certainty, e.rows, e.part);
  std::sort(best.rbegin(), best.rend());
  while (best.size() > count && std::get<0>(best.back()) < std::get<0>(best[count - 1]))
    best.pop_back();
  return best;
}

// What is left out as it goes is no more certain than as many as are wanted.
TEST(FrontExtensions, LeavesOutNoneOfThoseThatAreWanted) {
  constexpr std::uint32_t attributes = 400;
  constexpr std::size_t wanted = 5;
  const Dataset data = wide_table(300, attributes);
  const BoundGrammar grammar = association_grammar(data);
  const RowSample sample(data, 1000);
  FrontTask task;
  task.rows.resize(sample.rows());
  std::iota(task.rows.begin(), task.rows.end(), 0U);
  for (const RowSample::Level level : sample.levels(0)) task.gains.push_back(level);
  task.sizes = {10, 30, 60, 100, 150};
  const FrontSizes sizes(task.sizes, sample.rows());
  FrontMember all{.parts = {}, .rows = task.rows, .sum = {}, .certainty = 0};
  all.sum.rows = static_cast<std::uint32_t>(sample.rows());
  all.sum.gain = all.sum.square = std::accumulate(task.gains.begin(), task.gains.end(), 0.0);

  FrontExtender some(sample, grammar, task, sizes), every(sample, grammar, task, sizes);
  some.begin(wanted);
  every.begin(std::size_t{1} << 30);
  for (std::uint32_t a = 1; a < attributes; ++a) {
    some.extend(all, 0, a);
    every.extend(all, 0, a);
  }
  EXPECT_LT(some.found().size(), every.found().size() / 2);
  for (std::size_t size = 0; size < task.sizes.size(); ++size) {
    const Found expected = best_of(every.found(), sizes, size, wanted);
    EXPECT_GE(expected.size(), wanted);
    EXPECT_EQ(best_of(some.found(), sizes, size, wanted), expected) << task.sizes[size];
  }
}

}  // namespace
}  // namespace atl::test
