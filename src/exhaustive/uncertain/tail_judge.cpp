#include "src/exhaustive/uncertain/tail_judge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/exhaustive/uncertain/tail_bounds.hpp"
#include "src/exhaustive/uncertain/tails.hpp"

namespace atl {
namespace {

/// Probabilities nearer to the least one than this are decided by the last digits.
constexpr double digits_of_tails = 1e-9;
/// A probability of this and more has 9 decimals of 1.
constexpr double rounds_to_one = 1 - 4e-10;
/// Distributions that are remembered, 40 bytes each.
constexpr std::size_t most_known = std::size_t{1} << 22;

/// "At least" includes equality within 1e-12, or a thousandth where that is not much less.
bool is_enough(double probability, double least) noexcept {
  return probability >= least - std::min(1e-12, least / 1000);
}

/// The uncertain transactions that must exist. @pre more transactions have the set
std::uint32_t least_of(const CoverSums& sums, std::uint64_t min_count) noexcept {
  return static_cast<std::uint32_t>(min_count - sums.certain);
}

SupportMoments moments_of(const CoverSums& sums) noexcept {
  return {sums.uncertain(), sums.mean.value(), sums.variance.value()};
}

}  // namespace

void JudgedSets::add(const JudgedSets& other) noexcept {
  counted += other.counted;
  by_count += other.by_count;
  by_bounds += other.by_bounds;
  proved += other.proved;
  distributions += other.distributions;
  shared += other.shared;
  carefully += other.carefully;
}

Proof prove(const CoverSums& sums, const UncertainLimits& limits) noexcept {
  // Sun et al. 2010, the lemma on counts: no world has more of the set's transactions.
  if (sums.rows < limits.min_count) return Proof::infrequent;
  if (sums.certain >= limits.min_count) return Proof::frequent;  // every world has enough
  const SupportMoments moments = moments_of(sums);
  const std::uint32_t least = least_of(sums, limits.min_count);
  const double wanted = limits.min_probability;
  const auto is_short = [&](const TailBounds& bounds) {
    return !is_enough(bounds.upper + std::min(digits_of_tails, wanted / 100), wanted);
  };
  // Sun et al. 2010, the lemma on expected supports.
  if (is_short(hoeffding_bounds(moments, least))) return Proof::infrequent;
  if (!limits.bounds) return Proof::none;
  const TailBounds bounds = tail_bounds(moments, least);
  if (is_short(bounds)) return Proof::infrequent;
  const double proved = limits.probabilities ? std::max(rounds_to_one, wanted) : wanted;
  return bounds.lower - digits_of_tails / 100 >= proved ? Proof::frequent : Proof::none;
}

/// A set that bounds have not decided.
struct TailJudge::Open {
  std::size_t set = 0;
  Cover cover{};
  double tail = -1;  // less than 0: not known yet
};

JudgedSets TailJudge::take_judged() noexcept {
  return std::exchange(judged_, {});
}

std::vector<CoverSums> TailJudge::sum(const RankedSets& sets,
                                      std::span<const std::uint32_t> counts) {
  std::vector<CoverSums> sums(sets.size());
  if (columns_.certain_word > 0) {
    meter_.sum(sets, sums);
  } else {  // all transactions are certain
    for (std::size_t s = 0; s < sets.size(); ++s) sums[s].rows = sums[s].certain = counts[s];
  }
  return sums;
}

std::vector<Verdict> TailJudge::judge(const RankedSets& sets,
                                      std::span<const std::uint32_t> counts) {
  const std::vector<CoverSums> sums = sum(sets, counts);
  std::vector<Verdict> verdicts(sets.size());
  std::vector<Open> open;
  judged_.counted += sets.size();
  for (std::size_t s = 0; s < sets.size(); ++s) {
    Verdict& verdict = verdicts[s];
    verdict.support = {1, sums[s].rows, sums[s].expected_support(), sums[s].variance.value()};
    const Proof proof = prove(sums[s], limits_);
    verdict.frequent = proof == Proof::frequent;
    if (verdict.frequent) ++judged_.proved;
    if (proof == Proof::infrequent) {
      ++(sums[s].rows < limits_.min_count ? judged_.by_count : judged_.by_bounds);
    }
    if (proof != Proof::none) continue;
    open.push_back({s, {sums[s].cover, least_of(sums[s], limits_.min_count)}});
  }
  find_tails(sets, open);
  decide_carefully(sets, open);
  for (const Open& one : open) {
    Verdict& verdict = verdicts[one.set];
    verdict.support.probability = one.tail;
    verdict.frequent = is_enough(one.tail, limits_.min_probability);
  }
  return verdicts;
}

/// Those of each cover once.
void TailJudge::find_tails(const RankedSets& sets, std::vector<Open>& open) {
  RankedSets asked;
  asked.length = sets.length;
  std::vector<std::uint32_t> least;
  std::vector<Cover> covers;
  if (known_.size() > most_known) known_.clear();
  for (const Open& one : open) {
    if (!known_.try_emplace(one.cover, 0.0).second) {
      ++judged_.shared;
      continue;
    }
    const std::span<const std::uint32_t> set = sets[one.set];
    asked.ranks.insert(asked.ranks.end(), set.begin(), set.end());
    least.push_back(one.cover.least);
    covers.push_back(one.cover);
  }
  std::vector<double> tails(covers.size());
  meter_.find_tails(asked, least, tails);
  judged_.distributions += covers.size();
  for (std::size_t c = 0; c < covers.size(); ++c) known_[covers[c]] = tails[c];
  for (Open& one : open) one.tail = known_[one.cover];
}

/// Those whose tails are so near the least probability that their errors might decide. The cores
/// do, whatever has found the tails, so that all backends decide alike.
void TailJudge::decide_carefully(const RankedSets& sets, std::vector<Open>& open) {
  std::vector<Open*> close;
  for (Open& one : open) {
    if (std::abs(one.tail - limits_.min_probability) < digits_of_tails) close.push_back(&one);
  }
  judged_.carefully += close.size();
  pool_.wait(pool_.submit(close.size(), [&](std::size_t k, unsigned) {
    std::vector<double> probabilities;
    find_probabilities(columns_, sets[close[k]->set], probabilities);
    close[k]->tail = TailFinder().find_carefully(probabilities, close[k]->cover.least);
  }));
}

}  // namespace atl
