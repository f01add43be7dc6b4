#include "src/results/refinement/bound_fits.hpp"

#include <algorithm>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/row_hash.hpp"
#include "src/core/time_line.hpp"

namespace atl {
namespace {

Expression in_exact_codes(const Expression& side, std::span<const Attribute> binned,
                          std::span<const Attribute> exact) {
  std::vector<Comparison> comparisons(side.comparisons().begin(), side.comparisons().end());
  for (Comparison& c : comparisons) {
    if (!binned[c.attribute].binned() || asks_missing(c)) continue;
    const auto& values = exact[c.attribute].low;
    const auto first =
        std::lower_bound(values.begin(), values.end(), binned[c.attribute].low[c.low]);
    const auto end =
        std::upper_bound(values.begin(), values.end(), binned[c.attribute].high[c.high]);
    if (first >= end) throw InternalError("a bin without a value");
    c.low = static_cast<std::uint32_t>(first - values.begin());
    c.high = static_cast<std::uint32_t>(end - values.begin()) - 1;
  }
  return {std::vector<Op>(side.program().begin(), side.program().end()), std::move(comparisons)};
}

constexpr IntervalRows rows_to_fit{.most = 1U << 20, .enough = 1U << 20};

/// Enough that threads end at about the same time. Fewer, so that a fitter of the CPU finds those
/// of the same rows together.
constexpr std::size_t shares_per_thread = 4;

bool same_rows(const BoundFit& a, const BoundFit& b) {
  return a.rest == b.rest && a.positives == b.positives;
}

}  // namespace

Rule in_exact_codes(const Rule& rule, std::span<const Attribute> binned,
                    std::span<const Attribute> exact) {
  return {in_exact_codes(rule.antecedent, binned, exact),
          in_exact_codes(rule.consequent, binned, exact)};
}

BinEdges bin_edges(std::span<const Attribute> binned, std::span<const Attribute> exact) {
  BinEdges edges(binned.size());
  for (std::size_t a = 0; a < binned.size(); ++a) {
    if (!binned[a].binned()) continue;
    const auto& values = exact[a].low;
    for (std::size_t bin = 1; bin < binned[a].low.size(); ++bin) {
      const auto first = std::lower_bound(values.begin(), values.end(), binned[a].low[bin]);
      edges[a].push_back(static_cast<std::uint32_t>(first - values.begin()));
    }
  }
  return edges;
}

std::size_t BoundFitHash::operator()(const BoundFit& asked) const noexcept {
  std::uint64_t mixed = asked.rows;
  const auto mix = [&mixed](std::uint64_t high, std::uint64_t low) {
    mixed = row_hash(mixed ^ (high << 32 | low));
  };
  for (const auto* const comparisons : {&asked.rest, &asked.positives}) {
    for (const Comparison& c : *comparisons) {
      mix(c.attribute, c.negated);
      mix(c.low, c.high);
    }
  }
  mix(asked.attribute, static_cast<std::uint64_t>(asked.relation));
  return mixed;
}

BoundFits::BoundFits(Resident& exact, ThreadPool& pool, const BinEdges& edges,
                     bool refine_thresholds)
    : resident_(exact), pool_(pool), edges_(edges), refine_thresholds_(refine_thresholds) {
  const auto attributes = exact.dataset().attributes();
  if (std::none_of(attributes.begin(), attributes.end(), [](auto& a) { return a.ordered(); }))
    return;
  // Rows are drawn while what is to be fitted is chosen.
  first_ = pool_.submit(1, [this](std::size_t, unsigned) {
    fitters_.push_back(resident_.interval_fitter(rows_to_fit));
  });
}

BoundFits::~BoundFits() {
  if (!first_) return;
  try {
    pool_.wait(*first_);
  } catch (...) {  // nobody has asked for it
  }
}

std::vector<std::optional<FittedInterval>> BoundFits::fit(std::vector<BoundFit> asked) {
  std::vector<Known::value_type*> places, fresh;
  for (BoundFit& one : asked) {
    const auto [place, is_new] = known_.try_emplace(std::move(one));
    places.push_back(&*place);
    if (is_new) fresh.push_back(&*place);
  }
  std::sort(fresh.begin(), fresh.end(),
            [](const auto& a, const auto& b) { return a->first < b->first; });
  if (!fresh.empty()) fit_all(fresh);
  std::vector<std::optional<FittedInterval>> fitted;
  fitted.reserve(places.size());
  for (const auto* const place : places) fitted.push_back(place->second);
  return fitted;
}

void BoundFits::fit_all(std::span<Known::value_type* const> fresh) {
  const TimedPhase phase("fits");
  if (first_) {
    const TimedPhase reading("rows to fit");
    pool_.wait(*std::exchange(first_, std::nullopt));
  }
  const unsigned threads = pool_.threads();
  while (fitters_.size() < threads) fitters_.push_back(resident_.interval_fitter(rows_to_fit));
  std::vector<std::optional<IntervalTrial>> trials;
  for (const auto* const place : fresh) trials.emplace_back(trial(place->first));
  std::vector<IntervalGroup> groups;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    groups.push_back({.trials = {&trials[i], 1}, .rows = fresh[i]->first.rows});
  }
  std::vector<FittedGroup> fitted(groups.size());
  const std::size_t least = fitters_.front()->least_groups();
  const std::size_t most = (groups.size() + least - 1) / least;
  const std::size_t shares =
      threads == 1 ? 1 : std::min<std::size_t>(most, threads * shares_per_thread);
  // Those that look at the same rows are not parted.
  const auto begin_of = [&](std::size_t share) {
    std::size_t at = groups.size() * share / shares;
    while (at > 0 && at < fresh.size() && same_rows(fresh[at]->first, fresh[at - 1]->first)) ++at;
    return at;
  };
  pool_.wait(pool_.submit(shares, [&](std::size_t share, unsigned worker) {
    const std::size_t begin = begin_of(share), count = begin_of(share + 1) - begin;
    if (count == 0) return;
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
