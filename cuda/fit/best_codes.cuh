// Which codes of an attribute gain most, by a warp: src/sampling/best_interval.cpp and
// interval_fit.cpp on a device. A lane has some consecutive codes.
#pragma once

#include <cstdint>

#include "cuda/fit/warp_words.cuh"

namespace atl::cuda {

/// Greater than every gain.
template <typename Gain>
__device__ constexpr Gain beyond_gains() {
  return static_cast<Gain>((~static_cast<unsigned __int128>(0) >> 1) >> (128 - 8 * sizeof(Gain)));
}

/// What a row inside gains: `positive` if it is positive, and else it loses `other`.
struct RowGains {
  std::int64_t positive, other;
};

struct CodeInterval {
  std::uint32_t low, high;
};

/// Counts of an attribute's codes, as a warp looks at them.
class CodeCounts {
 public:
  /// @param counts  [distinct] x: rows that are not positive, y: those that are
  __device__ CodeCounts(const uint2* counts, std::uint32_t distinct)
      : counts_(counts), last_(distinct - 1) {
    // An odd number of codes a lane, so that lanes read from different banks.
    const std::uint32_t each = (distinct + 31) / 32 | 1;
    first_ = min(each * (threadIdx.x % 32), distinct);
    end_ = min(first_ + each, distinct);
  }

  __device__ std::uint32_t last() const { return last_; }

  /// Rows and positive rows of codes, in all lanes.
  __device__ __forceinline__ uint2 rows_of(std::uint32_t low, std::uint32_t end) const {
    std::uint32_t rows = 0, positives = 0;
    for (std::uint32_t code = low + threadIdx.x % 32; code < end; code += 32) {
      const uint2 n = counts_[code];
      rows += n.x + n.y;
      positives += n.y;
    }
    return make_uint2(__reduce_add_sync(~0U, rows), __reduce_add_sync(~0U, positives));
  }

 protected:
  const uint2* counts_;
  std::uint32_t last_;         // code
  std::uint32_t first_, end_;  // codes of the lane
};

/// What gains most.
/// @tparam Gain  int, long long or __int128
template <typename Gain>
class CodeGains : public CodeCounts {
 public:
  __device__ explicit CodeGains(const CodeCounts& counts) : CodeCounts(counts) {}

  static __device__ Gain gain(uint2 rows, const RowGains& gains) {
    return static_cast<Gain>(rows.y) * gains.positive - static_cast<Gain>(rows.x) * gains.other;
  }

  /// False if nothing gains. All lanes get the same, here and below.
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
    const Gain upto = sum_upto_lane(sum);
    const Gain before = upto - sum;
    if (least != beyond_gains<Gain>()) least += before;
    least_upto_lane(least, least_code);
    const std::uint32_t lane = threadIdx.x % 32;
    least = from_below(least, 1);
    least_code = from_below(least_code, 1);
    if (lane == 0) least = beyond_gains<Gain>();
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
    const std::uint32_t winner = lane_of_greatest(most);
    most = from_lane(most, winner);
    best = {from_lane(own.low, winner), from_lane(own.high, winner)};
    if (__any_sync(~0U, is_all)) take_all_but_first(gains, before, upto, most, best);
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
    const std::uint32_t right = lane_of_greatest(most);
    most = from_lane(most, right);
    // The last lane of equals, which are reversed for this.
    const std::uint32_t reversed = 31 - threadIdx.x % 32;
    const std::uint32_t left = 31 - lane_of_greatest(from_lane(-least, reversed));
    least = from_lane(least, left);
    best = {from_lane(low, left), from_lane(high, right)};
    return most - least > 0 && (best.low > 0 || best.high < last_);
  }

  /// One code, or all but it.
  __device__ bool only(std::uint32_t code, bool is_negated, const RowGains& gains,
                       CodeInterval& best) const {
    Gain of = gain(counts_[code], gains);
    if (is_negated) {
      const uint2 all = rows_of(0, last_ + 1);
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
    const std::uint32_t winner = lane_of_greatest(most);
    best = from_lane(own, winner);
    return from_lane(most, winner) > 0;
  }

 private:
  /// By the codes below the lane's first.
  __device__ Gain gained_before(const RowGains& gains, Gain* total = nullptr) const {
    Gain sum = 0;
    for (std::uint32_t code = first_; code < end_; ++code) sum += gain(counts_[code], gains);
    const Gain upto = sum_upto_lane(sum);
    if (total != nullptr) *total = from_lane(upto, 31);
    return upto - sum;
  }

  static __device__ void least_upto_lane(Gain& least, std::uint32_t& code) {
#pragma unroll
    for (std::uint32_t d = 1; d < 32; d *= 2) {
      const Gain other = from_below(least, d);
      const std::uint32_t other_code = from_below(code, d);
      if (threadIdx.x % 32 >= d && other < least) {
        least = other;
        code = other_code;
      }
    }
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
    const std::uint32_t winner = lane_of_greatest(-least);
    least = from_lane(least, winner);
    const Gain total = from_lane(upto, 31);
    own = from_lane(own, winner);
    if (least == beyond_gains<Gain>() || total - least <= most) return;
    most = total - least;
    best = {own, last_};
  }
};

}  // namespace atl::cuda
