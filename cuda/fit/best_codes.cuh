// Finds the codes of an attribute that gain most, by a team of threads:
// src/sampling/best_interval.cpp on a device. A thread has some consecutive codes.
#pragma once

#include <cstdint>

#include "cuda/fit/teams.cuh"

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

/// Finds the codes that gain most.
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

}  // namespace atl::cuda
