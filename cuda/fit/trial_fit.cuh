// A trial fitted to the counts of its attribute's codes, by a warp or a block.
#pragma once

#include <cstdint>

#include "cuda/fit/teams.cuh"
#include "cuda/host/fit_format.hpp"
#include "src/rules/bound_relation.hpp"
#include "src/sampling/chi_squared.hpp"
#include "src/sampling/fit_limits.hpp"

namespace atl::cuda {

/// Greater than every gain.
template <typename Gain>
__device__ constexpr Gain beyond_gains() {
  return static_cast<Gain>((~static_cast<unsigned __int128>(0) >> 1) >> (128 - 8 * sizeof(Gain)));
}

/// The gain of a row inside: `positive` if it is positive, and else it loses `other`.
struct RowGains {
  std::int64_t positive, other;
};

struct CodeInterval {
  std::uint32_t low, high;
};

/// Counts of an attribute's codes, as a team looks at them.
/// @tparam Team  Warp or Block
template <typename Team>
class CodeCounts {
 public:
  /// @param counts  [distinct] x: rows that are not positive, y: those that are
  __device__ CodeCounts(const Team& team, const uint2* counts, std::uint32_t distinct)
      : team_(team), counts_(counts), last_(distinct - 1) {
    // An odd number of codes a thread, so that threads read from different banks.
    const std::uint32_t each = (distinct + Team::size - 1) / Team::size | 1;
    first_ = min(each * Team::rank(), distinct);
    end_ = min(first_ + each, distinct);
  }

  __device__ std::uint32_t last() const { return last_; }

  /// Rows and positive rows of codes, in all threads.
  __device__ __forceinline__ uint2 rows_of(std::uint32_t low, std::uint32_t end) const {
    std::uint32_t rows = 0, positives = 0;
    for (std::uint32_t code = low + Team::rank(); code < end; code += Team::size) {
      const uint2 n = counts_[code];
      rows += n.x + n.y;
      positives += n.y;
    }
    return team_.sum(make_uint2(rows, positives));
  }

 protected:
  Team team_;
  const uint2* counts_;
  std::uint32_t last_;         // code
  std::uint32_t first_, end_;  // codes of the thread
};

/// Finds the codes that gain most: src/sampling/best_interval.cpp on a device. A thread has some
/// consecutive codes.
/// @tparam Gain  int, long long or __int128
template <typename Gain, typename Team>
class CodeGains : public CodeCounts<Team> {
  using CodeCounts<Team>::team_;
  using CodeCounts<Team>::counts_;
  using CodeCounts<Team>::last_;
  using CodeCounts<Team>::first_;
  using CodeCounts<Team>::end_;

 public:
  __device__ explicit CodeGains(const CodeCounts<Team>& counts) : CodeCounts<Team>(counts) {}

  static __device__ Gain gain(uint2 rows, const RowGains& gains) {
    return static_cast<Gain>(rows.y) * gains.positive - static_cast<Gain>(rows.x) * gains.other;
  }

  /// Finds the interval that gains most. False if nothing gains. All threads get the same, here and
  /// below.
  __device__ bool best_interval(const RowGains& gains, CodeInterval& best) const {
    Gain sum = 0, least = beyond_gains<Gain>();  // least: before a code, the last of equals
    std::uint32_t least_code = 0;
    for (std::uint32_t code = first_; code < end_; ++code) {
      const uint2 n = counts_[code];
      if ((n.x | n.y) == 0) continue;
      if (sum <= least) {
        least = sum;
        least_code = code;
      }
      sum += gain(n, gains);
    }
    const Gain upto = team_.sum_upto(sum);
    const Gain before = upto - sum;
    if (least != beyond_gains<Gain>()) least += before;
    team_.least_below(least, least_code);
    if (Team::rank() == 0) least = beyond_gains<Gain>();
    Gain most = 0, gained = before;
    CodeInterval own = {0, 0};
    bool is_all = false;  // the interval to the last code that gains most takes all
    for (std::uint32_t code = first_; code < end_; ++code) {
      const uint2 n = counts_[code];
      if ((n.x | n.y) == 0) continue;
      if (gained <= least) {
        least = gained;
        least_code = code;
      }
      gained += gain(n, gains);
      if (least_code == 0 && code == last_) {
        is_all = true;
      } else if (gained - least > most) {
        most = gained - least;
        own = {least_code, code};
      }
    }
    const std::uint32_t winner = team_.first_of_greatest(most);
    most = team_.from(most, winner);
    best = {team_.from(own.low, winner), team_.from(own.high, winner)};
    if (team_.any(is_all)) take_all_but_first(gains, before, upto, most, best);
    return most > 0;
  }

  /// Through a code.
  __device__ bool best_through(std::uint32_t through, const RowGains& gains,
                               CodeInterval& best) const {
    const Gain before = gained_before(gains);
    Gain least = beyond_gains<Gain>(), most = -least, gained = before;
    std::uint32_t low = 0, high = 0;
    for (std::uint32_t code = first_; code < end_; ++code) {
      if (code <= through && gained <= least) {
        least = gained;
        low = code;
      }
      gained += gain(counts_[code], gains);
      if (code >= through && gained > most) {
        most = gained;
        high = code;
      }
    }
    const std::uint32_t right = team_.first_of_greatest(most);
    most = team_.from(most, right);
    const std::uint32_t left = team_.last_of_greatest(-least);
    least = team_.from(least, left);
    best = {team_.from(low, left), team_.from(high, right)};
    return most - least > 0 && (best.low > 0 || best.high < last_);
  }

  /// One code, or all but it.
  __device__ bool only(std::uint32_t code, bool is_negated, const RowGains& gains,
                       CodeInterval& best) const {
    Gain of = gain(counts_[code], gains);
    if (is_negated) {
      const uint2 all = this->rows_of(0, last_ + 1);
      of = gain(make_uint2(all.x - all.y, all.y), gains) - of;
    }
    best = {code, code};
    return of > 0;
  }

  /// Offers each code that some row has.
  /// @param value  (gain of the code, of those below it, of all, code): what is gained, or 0
  template <typename Value>
  __device__ bool best_code(const RowGains& gains, const Value& value, std::uint32_t& best) const {
    Gain total = 0;
    const Gain before = gained_before(gains, &total);
    Gain most = 0, gained = before;
    std::uint32_t own = 0;
    for (std::uint32_t code = first_; code < end_; ++code) {
      const uint2 n = counts_[code];
      if ((n.x | n.y) == 0) continue;
      const Gain of = gain(n, gains);
      const Gain offered = value(of, gained, total, code);
      if (offered > most) {
        most = offered;
        own = code;
      }
      gained += of;
    }
    const std::uint32_t winner = team_.first_of_greatest(most);
    best = team_.from(own, winner);
    return team_.from(most, winner) > 0;
  }

 private:
  /// The gain of the codes below the thread's first.
  __device__ Gain gained_before(const RowGains& gains, Gain* total = nullptr) const {
    Gain sum = 0;
    for (std::uint32_t code = first_; code < end_; ++code) sum += gain(counts_[code], gains);
    const Gain upto = team_.sum_upto(sum);
    if (total != nullptr) *total = team_.from(upto, Team::size - 1);
    return upto - sum;
  }

  /// All codes are no choice: instead those from a later one to the last, of equals the most.
  __device__ void take_all_but_first(const RowGains& gains, Gain before, Gain upto, Gain& most,
                                     CodeInterval& best) const {
    Gain least = beyond_gains<Gain>(), gained = before;
    std::uint32_t own = 0;
    for (std::uint32_t code = first_; code < end_; ++code) {
      const uint2 n = counts_[code];
      if ((n.x | n.y) == 0) continue;
      if (code > 0 && gained < least) {
        least = gained;
        own = code;
      }
      gained += gain(n, gains);
    }
    const std::uint32_t winner = team_.first_of_greatest(-least);
    least = team_.from(least, winner);
    const Gain total = team_.from(upto, Team::size - 1);
    own = team_.from(own, winner);
    if (least == beyond_gains<Gain>() || total - least <= most) return;
    most = total - least;
    best = {own, last_};
  }
};

struct Fitted {
  double chi_squared;
  std::uint32_t low, high;  ///< low is no_fit if nothing gains
};
inline constexpr Fitted nothing_fitted = {0, no_fit, 0};

/// The share of positive rows: positives / rows.
struct TrialShare {
  std::int64_t positives, rows;
};

__device__ __forceinline__ std::int64_t join(const std::uint32_t (&halves)[2]) {
  return static_cast<std::int64_t>(halves[0] | static_cast<std::uint64_t>(halves[1]) << 32);
}

template <typename Gain, typename Team>
class TrialFit {
 public:
  /// @param all    rows and positive rows, those with a missing value included
  /// @param share  that is asked for
  __device__ TrialFit(const CodeCounts<Team>& counts, const FitTrial& trial,
                      const std::uint32_t* group, uint2 all, const TrialShare& share)
      : codes_(counts), trial_(trial), group_(group), all_(all), share_(share) {}

  __device__ __forceinline__ Fitted fit() {
    CodeInterval best = {no_fit, 0};
    CodeInterval found;
#pragma unroll 1
    for (int round = 0; find(found); ++round) {
      if (found.low == best.low && found.high == best.high) break;
      best = found;
      if ((trial_.flags & FitTrial::refines) == 0 || round == threshold_rounds) break;
      const uint2 inside = codes_.rows_of(best.low, best.high + 1);
      const std::int64_t in = inside.x, out = all_.x - inside.x;
      if (out == 0) break;
      share_ = {inside.y * out + (all_.y - inside.y) * in, 2 * in * out};
    }
    if (best.low == no_fit) return nothing_fitted;
    if (trial_.edges != 0) best = at_edges(best);
    const uint2 inside = codes_.rows_of(best.low, best.high + 1);
    return {chi_squared(inside.x, inside.y, all_.x, all_.y), best.low, best.high};
  }

 private:
  /// Finds the codes that gain most for the share.
  __device__ bool find(CodeInterval& best) const {
    const RowGains gains = {share_.rows - share_.positives, share_.positives};
    const auto relation = static_cast<BoundRelation>(trial_.flags & FitTrial::relation);
    if ((trial_.flags & FitTrial::only) != 0) {
      return codes_.only(trial_.code, relation == BoundRelation::not_equal, gains, best);
    }
    if ((trial_.flags & FitTrial::through) != 0) {
      return codes_.best_through(trial_.code, gains, best);
    }
    if (relation == BoundRelation::interval) return codes_.best_interval(gains, best);
    const std::uint32_t last = codes_.last();
    std::uint32_t code;
    const bool any = codes_.best_code(
        gains,
        [=](Gain of, Gain below, Gain all, std::uint32_t at) -> Gain {
          if (relation == BoundRelation::equal) return of;
          if (relation == BoundRelation::not_equal) return all - of;
          if (relation == BoundRelation::less_equal) return at < last ? below + of : 0;
          return at > 0 ? all - below : 0;
        },
        code);
    best.low = relation == BoundRelation::less_equal ? 0 : code;
    best.high = relation == BoundRelation::greater ? last : code;
    return any;
  }

  __device__ CodeInterval at_edges(const CodeInterval& best) const {
    const std::uint32_t low = moved(best.low), end = moved(best.high + 1);
    const bool any = low < end && !(low == 0 && end == codes_.last() + 1);
    return any ? CodeInterval{low, end - 1} : best;
  }

  /// The loss, in positive rows, if the codes are on the other side.
  __device__ double loss(uint2 rows) const {
    const RowGains gains = {share_.rows - share_.positives, share_.positives};
    const Gain gain = codes_.gain(make_uint2(rows.x - rows.y, rows.y), gains);
    return to_double(gain < 0 ? -gain : gain) / static_cast<double>(share_.rows);
  }

  /// Moves a bound to the nearer edge of its bin, if what lies between is there by chance.
  /// @param code  the first beyond a bound
  __device__ std::uint32_t moved(std::uint32_t code) const {
    const std::uint32_t end = codes_.last() + 1;
    if (code == 0 || code == end) return code;
    const std::uint32_t* const edges = group_ + trial_.edges + 1;
    std::uint32_t after = 0;  // the first edge that is not below the code
    for (std::uint32_t count = edges[-1]; count != 0;) {
      const std::uint32_t half = count / 2;
      if (edges[after + half] < code) {
        after += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    const std::uint32_t below = after == 0 ? 0 : edges[after - 1];
    const std::uint32_t above = after == edges[-1] ? end : edges[after];
    if (above == code) return code;
    const uint2 rows_below = codes_.rows_of(below, code), rows_above = codes_.rows_of(code, above);
    const double to_below = loss(rows_below), to_above = loss(rows_above);
    const bool is_below = to_below < to_above;
    const double less = is_below ? to_below : to_above;
    const double rows = is_below ? rows_below.x : rows_above.x;
    const double p = static_cast<double>(share_.positives) / static_cast<double>(share_.rows);
    if (less * less > rows * p * (1 - p)) return code;
    return is_below ? below : above;
  }

  const CodeGains<Gain, Team> codes_;
  const FitTrial& trial_;
  const std::uint32_t* const group_;
  const uint2 all_;
  TrialShare share_;
};

/// Do gains fit in 32 bits?
__device__ __forceinline__ bool has_small_gains(std::int64_t rows, const TrialShare& share) {
  constexpr std::int64_t most_rows = 1024;  // a refined share has rows^2 / 2
  constexpr std::int64_t limit = std::int64_t{1} << 30;
  return rows <= most_rows && share.rows <= limit && rows * share.rows <= limit &&
         0 <= share.positives && share.positives <= share.rows;
}

/// Fits the codes to a trial. All threads of a team call it and get the same.
/// @param counts  [distinct + 1] x: rows that are not positive, y: those that are
/// @param group   words of the group
template <typename Gain, typename Team>
__device__ __forceinline__ Fitted fit_counts(const Team& team, const uint2* counts,
                                             const FitTrial& trial, const std::uint32_t* group) {
  const CodeCounts<Team> codes(team, counts, trial.distinct);
  const uint2 all = codes.rows_of(0, trial.distinct + 1);
  TrialShare share = {all.y, all.x};
  if (trial.share != 0) {
    const auto* const given = reinterpret_cast<const FitShare*>(group + trial.share);
    share = {join(given->positives), join(given->rows)};
  }
  if constexpr (Team::size == Warp::size && sizeof(Gain) == sizeof(long long)) {
    if (has_small_gains(all.x, share)) {
      return TrialFit<int, Team>(codes, trial, group, all, share).fit();
    }
  }
  return TrialFit<Gain, Team>(codes, trial, group, all, share).fit();
}

}  // namespace atl::cuda
