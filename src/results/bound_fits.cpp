#include "src/results/bound_fits.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace atl {

namespace {

constexpr IntervalRows rows_to_fit{.most = 1U << 20, .enough = 1U << 20};

/// Enough that threads end at about the same time. Fewer, so that a fitter of the CPU finds those
/// of the same rows together.
constexpr std::size_t shares_per_thread = 4;

}  // namespace

BoundFits::BoundFits(Resident& exact, ThreadPool& pool, const BinEdges& edges,
                     bool refine_thresholds)
    : resident_(exact), pool_(pool), edges_(edges), refine_thresholds_(refine_thresholds) {}

std::vector<std::optional<FittedInterval>> BoundFits::fit(std::vector<BoundFit> asked) {
  std::vector<Known::iterator> places, fresh;
  for (BoundFit& one : asked) {
    const auto [place, is_new] = known_.try_emplace(std::move(one));
    places.push_back(place);
    if (is_new) fresh.push_back(place);
  }
  std::sort(fresh.begin(), fresh.end(),
            [](const auto& a, const auto& b) { return a->first < b->first; });
  if (!fresh.empty()) fit_all(fresh);
  std::vector<std::optional<FittedInterval>> fitted;
  for (const auto& place : places) fitted.push_back(place->second);
  return fitted;
}

void BoundFits::fit_all(const std::vector<Known::iterator>& fresh) {
  const unsigned threads = pool_.threads();
  while (fitters_.size() < threads) fitters_.push_back(resident_.interval_fitter(rows_to_fit));
  std::vector<std::optional<IntervalTrial>> trials;
  for (const auto& place : fresh) trials.emplace_back(trial(place->first));
  std::vector<IntervalGroup> groups;
  for (const auto& one : trials) groups.push_back({.trials = {&one, 1}});
  std::vector<FittedGroup> fitted(groups.size());
  const std::size_t least = fitters_.front()->least_groups();
  const std::size_t most = (groups.size() + least - 1) / least;
  const std::size_t shares =
      threads == 1 ? 1 : std::min<std::size_t>(most, threads * shares_per_thread);
  const auto begin_of = [&](std::size_t share) { return groups.size() * share / shares; };
  pool_.wait(pool_.submit(shares, [&](std::size_t share, unsigned worker) {
    const std::size_t begin = begin_of(share), count = begin_of(share + 1) - begin;
    IntervalFitter& fitter = *fitters_[worker];
    fitter.prepare(std::span(groups).subspan(begin, count));
    fitter.start();
    fitter.finish();
    fitter.read(std::span(fitted).subspan(begin, count));
  }));
  for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i]->second = fitted[i].interval;
}

IntervalTrial BoundFits::trial(const BoundFit& asked) const {
  IntervalTrial trial{.attribute = asked.attribute,
                      .relation = asked.relation,
                      .rest = asked.rest,
                      .positives = asked.positives,
                      .share = asked.share,
                      .refine_threshold = refine_thresholds_,
                      .only = asked.only};
  if (!edges_.empty()) trial.edges = edges_[asked.attribute];
  return trial;
}

}  // namespace atl
