#include "src/bench/uncertain_steps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"

namespace atl {
namespace {

/// Seconds of the best of some runs, after one to warm up.
double best_seconds(std::uint64_t repeats, const std::function<void()>& run) {
  run();
  double best = 0;
  for (std::uint64_t k = 0; k < repeats; ++k) {
    double seconds = 0;
    {
      const Stopwatch time(seconds);
      run();
    }
    best = k == 0 ? seconds : std::min(best, seconds);
  }
  return best;
}

/// Sets of a level whose distributions are needed.
struct OpenSets {
  RankedSets sets;
  std::vector<std::uint32_t> least;   // [sets] of their uncertain transactions
  std::vector<std::size_t> places{};  // [sets] in MeteredLevels::Level::open
};

OpenSets open_sets(const RankedSets& candidates, std::span<const CoverSums> sums,
                   const cuda::ThesisLeast& least, MeteredLevels& out) {
  OpenSets open{{candidates.length, {}}, {}};
  MeteredLevels::Level& level = out.levels.emplace_back();
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    if (cuda::thesis_prunes(sums[c].rows, sums[c].expected_support(), least)) continue;
    ++out.ranks[cuda::thesis_rank(sums[c].rows)];
    level.open.push_back(static_cast<std::uint32_t>(c));
    if (sums[c].certain >= least.support) continue;  // without a doubt
    const auto set = candidates[c];
    open.sets.ranks.insert(open.sets.ranks.end(), set.begin(), set.end());
    open.least.push_back(least.support - sums[c].certain);
    open.places.push_back(level.open.size() - 1);
  }
  level.tails.assign(level.open.size(), 1);
  return open;
}

void add(cuda::ThesisSeconds& sum, const cuda::ThesisSeconds& more) noexcept {
  for (double cuda::ThesisSeconds::*const part :
       {&cuda::ThesisSeconds::inclusion, &cuda::ThesisSeconds::pruning,
        &cuda::ThesisSeconds::filtering, &cuda::ThesisSeconds::distributions,
        &cuda::ThesisSeconds::plans, &cuda::ThesisSeconds::wall}) {
    sum.*part += more.*part;
  }
}

}  // namespace

RankedSets single_items(std::uint32_t items) {
  RankedSets sets{1, std::vector<std::uint32_t>(items)};
  std::iota(sets.ranks.begin(), sets.ranks.end(), 0U);
  return sets;
}

MeteredLevels meter_levels(SupportMeter& meter, const std::vector<RankedSets>& levels,
                           const cuda::ThesisLeast& least, std::uint64_t repeats) {
  MeteredLevels out;
  for (const RankedSets& candidates : levels) {
    std::vector<CoverSums> sums(candidates.size());
    const double seconds = best_seconds(repeats, [&] { meter.sum(candidates, sums); });
    if (candidates.length > 1) out.sum_seconds += seconds;
    const OpenSets open = open_sets(candidates, sums, least, out);
    std::vector<double> tails(open.least.size());
    out.tail_seconds +=
        best_seconds(repeats, [&] { meter.find_tails(open.sets, open.least, tails); });
    for (std::size_t k = 0; k < tails.size(); ++k) {
      out.levels.back().tails[open.places[k]] = tails[k];
    }
  }
  return out;
}

cuda::ThesisSeconds ThesisLevels::all() const noexcept {
  cuda::ThesisSeconds sum = singles;
  add(sum, longer);
  return sum;
}

ThesisLevels thesis_levels(cuda::ThesisPipeline& pipeline, const std::vector<RankedSets>& levels,
                           const cuda::ThesisLeast& least, const cuda::ThesisOptions& options) {
  ThesisLevels out;
  for (const RankedSets& candidates : levels) {
    out.levels.push_back(pipeline.extract(candidates, least, options));
    add(candidates.length == 1 ? out.singles : out.longer, out.levels.back().seconds);
  }
  return out;
}

void expect_same_tails(const ThesisLevels& thesis, const MeteredLevels& metered) {
  for (std::size_t l = 0; l < metered.levels.size(); ++l) {
    const MeteredLevels::Level& level = metered.levels[l];
    for (std::size_t k = 0; k < level.open.size(); ++k) {
      const auto& probability = thesis.levels[l].probabilities[level.open[k]];
      if (!probability || std::abs(*probability - level.tails[k]) <= 1e-9) continue;
      throw InternalError("bench uncertain: the thesis' way finds another probability than ours");
    }
  }
}

}  // namespace atl
