#include "src/results/choice/front.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "src/sampling/common_bits.hpp"

namespace atl {

namespace {

constexpr std::size_t bound_bins = 64, interval_bins = 24;
constexpr double alike = 0.7;       // Jaccard index of two rules of a size
constexpr double least_errors = 2;  // standard errors that a comparison is to gain

using FrontPart = RowSample::Part;
using FrontParts = std::vector<FrontPart>;  // ascending

struct FrontMember {
  FrontParts parts;
  std::vector<std::uint32_t> rows;
  FrontSum sum;
  double certainty = 0;
};

/// A way to make a member longer.
struct Extension {
  double certainty;
  std::uint32_t rows;
  std::uint32_t parent;
  FrontPart part;
};

/// Working memory of a worker.
struct FrontScratch {
  std::vector<FrontSum> levels;  // the last collects what is missing
  std::vector<FrontSum> before;  // [cut]
  std::vector<std::uint32_t> cuts;
  std::vector<std::optional<Extension>> best;  // [size]
  std::vector<Extension> found;
};

bool is_surer(const Extension& a, const Extension& b) {
  if (a.certainty != b.certainty) return a.certainty > b.certainty;
  if (a.rows != b.rows) return a.rows > b.rows;
  return std::tie(a.parent, a.part) < std::tie(b.parent, b.part);
}

bool is_surer(const FrontMember& a, const FrontMember& b) {
  if (a.certainty != b.certainty) return a.certainty > b.certainty;
  if (a.sum.rows != b.sum.rows) return a.sum.rows > b.sum.rows;
  return a.parts.size() != b.parts.size() ? a.parts.size() < b.parts.size() : a.parts < b.parts;
}

FrontSum between(const FrontSum& from, const FrontSum& to) {
  return {to.rows - from.rows, to.gain - from.gain, to.square - from.square};
}

/// Is the mean gain of some rows of a member above the member's by more than chance?
bool is_clear(const FrontSum& some, const FrontSum& all) {
  if (some.rows >= all.rows) return false;
  const double n = all.rows, m = some.rows;
  const double mean = all.gain / n;
  const double variance = std::max(all.square / n - mean * mean, 0.0);
  const double error = std::sqrt(variance * (1 / m - 1 / n) * (n / std::max(n - 1, 1.0)));
  return some.gain / m - mean > least_errors * error;
}

class FrontSearch {
 public:
  FrontSearch(const RowSample& sample, const BoundGrammar& grammar, const FrontTask& task,
              const FrontLimits& limits, ThreadPool& pool)
      : sample_(sample),
        grammar_(grammar),
        task_(task),
        limits_(limits),
        pool_(pool),
        scratch_(pool.threads()) {
    for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
      if (sample.distinct(a) > 1 && task.without.count(a) == 0 && !grammar.has_literal_on(a)) {
        attributes_.push_back(a);
      }
    }
  }

  std::vector<Expression> search() {
    std::deque<std::vector<FrontMember>> beams(1, std::vector<FrontMember>(1));  // [length]
    beams[0][0].rows = task_.rows;
    beams[0][0].sum = sum_of(task_.rows);
    std::vector<std::vector<const FrontMember*>> found(task_.sizes.size());
    while (beams.size() <= limits_.comparisons && !beams.back().empty()) {
      beams.push_back(longer(beams.back(), extend(beams.back())));
      for (const FrontMember& member : beams.back()) {
        if (!meets(member)) continue;
        for (std::size_t s = 0; s < sizes_of(member.sum.rows); ++s) found[s].push_back(&member);
      }
    }
    std::set<Expression> known;
    std::vector<Expression> rules;
    for (auto& of_size : found) {
      for (const FrontMember* const member : unlike(of_size)) {
        Expression made = sample_.conjunction(member->parts);
        if (known.insert(made).second) rules.push_back(std::move(made));
      }
    }
    return rules;
  }

 private:
  FrontSum sum_of(std::span<const std::uint32_t> rows) const {
    FrontSum sum;
    for (const std::uint32_t row : rows) add(sum, row);
    return sum;
  }

  void add(FrontSum& sum, std::uint32_t row) const {
    const double gain = task_.gains[row];
    ++sum.rows;
    sum.gain += gain;
    sum.square += gain * gain;
  }

  /// The sizes that so many rows have: those before the one returned.
  std::size_t sizes_of(std::uint32_t rows) const {
    return static_cast<std::size_t>(std::upper_bound(task_.sizes.begin(), task_.sizes.end(), rows) -
                                    task_.sizes.begin());
  }

  /// The best ways to make one of the beam longer, of each size as many as the beam is wide.
  std::vector<Extension> extend(const std::vector<FrontMember>& beam) {
    for (FrontScratch& scratch : scratch_) scratch.found.clear();
    pool_.wait(pool_.submit(beam.size() * attributes_.size(), [&](std::size_t i, unsigned worker) {
      const auto parent = static_cast<std::uint32_t>(i / attributes_.size());
      extend(beam[parent], parent, attributes_[i % attributes_.size()], scratch_[worker]);
    }));
    std::vector<Extension> all;
    for (const FrontScratch& scratch : scratch_)
      all.insert(all.end(), scratch.found.begin(), scratch.found.end());
    std::sort(all.begin(), all.end(),
              [](const Extension& a, const Extension& b) { return is_surer(a, b); });
    // The beam is as wide as the looks allow that its next length takes.
    std::vector<Extension> chosen = widest(all, beam, limits_.width);
    const std::uint64_t looks = limits_.looks / limits_.comparisons / attributes_.size();
    for (std::size_t width = limits_.width / 2; width > 0 && rows_of(chosen) > looks; width /= 2) {
      chosen = widest(all, beam, width);
    }
    return chosen;
  }

  static std::uint64_t rows_of(std::span<const Extension> extensions) {
    std::uint64_t rows = 0;
    for (const Extension& e : extensions) rows += e.rows;
    return rows;
  }

  /// The first so many of each size, each antecedent once.
  std::vector<Extension> widest(std::span<const Extension> all,
                                const std::vector<FrontMember>& beam, std::size_t width) const {
    std::vector<std::size_t> taken(task_.sizes.size(), 0);
    std::vector<Extension> chosen;
    std::set<FrontParts> known;
    for (const Extension& e : all) {
      const auto end = taken.begin() + static_cast<std::ptrdiff_t>(sizes_of(e.rows));
      const bool wanted = std::any_of(taken.begin(), end, [&](auto has) { return has < width; });
      if (!wanted || !known.insert(parts_of(e, beam)).second) continue;
      std::for_each(taken.begin(), end, [](std::size_t& has) { ++has; });
      chosen.push_back(e);
    }
    return chosen;
  }

  static FrontParts parts_of(const Extension& e, const std::vector<FrontMember>& beam) {
    FrontParts parts = beam[e.parent].parts;
    parts.insert(std::upper_bound(parts.begin(), parts.end(), e.part), e.part);
    return parts;
  }

  std::vector<FrontMember> longer(const std::vector<FrontMember>& beam,
                                  std::span<const Extension> by) {
    std::vector<FrontMember> made(by.size());
    pool_.wait(pool_.submit(by.size(), [&](std::size_t i, unsigned) {
      const FrontMember& parent = beam[by[i].parent];
      made[i].parts = parts_of(by[i], beam);
      made[i].rows.reserve(by[i].rows);
      const auto [attribute, low, high] = by[i].part;
      const auto levels = sample_.levels(attribute);
      for (const std::uint32_t row : parent.rows) {
        if (low <= levels[row] && levels[row] <= high) made[i].rows.push_back(row);
      }
      made[i].sum = sum_of(made[i].rows);
      made[i].certainty = by[i].certainty;
    }));
    return made;
  }

  void extend(const FrontMember& member, std::uint32_t parent, std::uint32_t attribute,
              FrontScratch& scratch) const {
    const auto named = [&](const FrontPart& part) { return std::get<0>(part) == attribute; };
    if (std::any_of(member.parts.begin(), member.parts.end(), named)) return;
    if (!sample_.attributes()[attribute].ordered() &&
        !grammar_.has(BoundRelation::equal, attribute, true)) {
      return;
    }
    const std::uint32_t distinct = sample_.distinct(attribute);
    scratch.levels.assign(std::size_t{distinct} + 1, {});
    const auto levels = sample_.levels(attribute);
    for (const std::uint32_t row : member.rows) {
      add(scratch.levels[std::min<std::uint32_t>(levels[row], distinct)], row);
    }
    std::vector<Extension>& found = scratch.found;
    const auto emit = [&] {
      for (std::size_t s = 0; s < scratch.best.size(); ++s) {
        const auto& best = scratch.best[s];
        if (!best) continue;
        const bool is_last =
            !found.empty() && found.back().parent == parent && found.back().part == best->part;
        if (!is_last) found.push_back(*best);
      }
      scratch.best.assign(task_.sizes.size(), std::nullopt);
    };
    scratch.best.assign(task_.sizes.size(), std::nullopt);
    const auto offer = [&](const FrontSum& sum, std::uint32_t low, std::uint32_t high) {
      const std::size_t sizes = sizes_of(sum.rows);
      if (sizes == 0 || !is_clear(sum, member.sum)) return;
      const Extension e{certainty(sum, task_.of_mean), sum.rows, parent, {attribute, low, high}};
      for (std::size_t s = sizes; s-- > 0;) {
        if (scratch.best[s] && !is_surer(e, *scratch.best[s])) break;
        scratch.best[s] = e;
      }
    };
    if (!sample_.attributes()[attribute].ordered()) {
      const auto presence = grammar_.presence(attribute);
      for (std::uint32_t level = 0; level < distinct; ++level) {
        if (presence.value_or(level) != level) continue;
        offer(scratch.levels[level], level, level);
        emit();
      }
    } else if (const auto presence = grammar_.presence(attribute)) {
      const std::uint32_t level = sample_.level_of(attribute, *presence);
      offer(scratch.levels[level], level, level);
      emit();
    } else {
      extend_bounds(attribute, member.sum.rows, scratch, offer, emit);
    }
  }

  template <typename Offer, typename Emit>
  void extend_bounds(std::uint32_t attribute, std::uint32_t rows, FrontScratch& scratch,
                     const Offer& offer, const Emit& emit) const {
    const std::uint32_t distinct = sample_.distinct(attribute);
    cut(scratch, distinct, rows, bound_bins);
    const FrontSum all = scratch.before.back();
    if (grammar_.has(BoundRelation::less_equal, attribute, true)) {
      for (std::size_t k = 1; k + 1 < scratch.cuts.size(); ++k) {
        offer(scratch.before[k], 0, scratch.cuts[k] - 1);
      }
      emit();
    }
    if (grammar_.has(BoundRelation::greater, attribute, true)) {
      for (std::size_t k = 1; k + 1 < scratch.cuts.size(); ++k) {
        offer(between(scratch.before[k], all), scratch.cuts[k], distinct - 1);
      }
      emit();
    }
    if (!grammar_.has(BoundRelation::interval, attribute, true)) return;
    cut(scratch, distinct, rows, interval_bins);
    for (std::size_t i = 1; i + 2 < scratch.cuts.size(); ++i) {
      for (std::size_t k = i + 1; k + 1 < scratch.cuts.size(); ++k) {
        offer(between(scratch.before[i], scratch.before[k]), scratch.cuts[i], scratch.cuts[k] - 1);
      }
    }
    emit();
  }

  /// Cuts between levels so that about equally many rows lie between two; a level with the rows of
  /// a bin is one by itself.
  void cut(FrontScratch& scratch, std::uint32_t distinct, std::uint32_t rows,
           std::size_t bins) const {
    scratch.cuts.assign(1, 0);
    scratch.before.assign(1, {});
    FrontSum sum;
    std::size_t in_bin = 0;
    const auto cut_at = [&](std::uint32_t level) {
      if (scratch.cuts.back() == level) return;
      scratch.cuts.push_back(level);
      scratch.before.push_back(sum);
      in_bin = 0;
    };
    for (std::uint32_t level = 0; level < distinct; ++level) {
      const FrontSum& own = scratch.levels[level];
      const bool alone = bins * own.rows >= rows;
      if (alone && in_bin > 0) cut_at(level);
      sum.rows += own.rows;
      sum.gain += own.gain;
      sum.square += own.square;
      in_bin += own.rows;
      if (alone || bins * in_bin >= rows) cut_at(level + 1);
    }
    cut_at(distinct);
  }

  /// The best of a size of which no two are alike.
  std::vector<const FrontMember*> unlike(std::vector<const FrontMember*>& members) const {
    std::sort(members.begin(), members.end(),
              [](const FrontMember* a, const FrontMember* b) { return is_surer(*a, *b); });
    const std::size_t words = (sample_.rows() + 63) / 64;
    std::vector<std::vector<std::uint64_t>> bits;
    std::vector<const FrontMember*> chosen;
    for (const FrontMember* const member : members) {
      if (chosen.size() == limits_.each) break;
      std::vector<std::uint64_t> own(words, 0);
      for (const std::uint32_t row : member->rows) own[row / 64] |= std::uint64_t{1} << row % 64;
      const auto is_like = [&](std::size_t i) {
        const auto both = static_cast<double>(common_bits(own.data(), bits[i].data(), words));
        return both > alike * (chosen[i]->sum.rows + member->sum.rows - both);
      };
      bool any = false;
      for (std::size_t i = 0; i < chosen.size() && !any; ++i) any = is_like(i);
      if (any) continue;
      bits.push_back(std::move(own));
      chosen.push_back(member);
    }
    return chosen;
  }

  bool meets(const FrontMember& member) const {
    const auto gaining = std::count_if(member.rows.begin(), member.rows.end(),
                                       [&](std::uint32_t row) { return task_.gains[row] > 0; });
    return task_.meets(member.rows.size(), static_cast<std::size_t>(gaining));
  }

  const RowSample& sample_;
  const BoundGrammar& grammar_;
  const FrontTask& task_;
  const FrontLimits& limits_;
  ThreadPool& pool_;
  std::vector<std::uint32_t> attributes_;
  std::vector<FrontScratch> scratch_;  // [worker]
};

}  // namespace

std::vector<double> front_sizes(std::uint64_t rows) {
  constexpr std::array steps = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
  std::vector<double> sizes;
  for (const int decade : {1, 10, 100}) {
    for (const int step : steps) {
      const double share = decade * step / 10'000.0;
      if (share <= 0.5 && share * static_cast<double>(rows) >= 50) sizes.push_back(share);
    }
  }
  return sizes;
}

double certainty(const FrontSum& sum, bool of_mean) noexcept {
  constexpr double z = 1.959963984540054;
  const double n = sum.rows;
  if (of_mean) {
    const double mean = sum.gain / n;
    const double variance = std::max(sum.square / n - mean * mean, 0.0);
    return mean - z * std::sqrt(variance / n);
  }
  const double both = sum.gain;
  return both == 0
             ? 0
             : (both + z * z / 2 - z * std::sqrt(both * (n - both) / n + z * z / 4)) / (n + z * z);
}

std::vector<Expression> certain_rules(const RowSample& sample, const BoundGrammar& grammar,
                                      const FrontTask& task, const FrontLimits& limits,
                                      ThreadPool& pool) {
  return FrontSearch(sample, grammar, task, limits, pool).search();
}

}  // namespace atl
