#include "src/sampling/best_interval.hpp"

#include <numeric>

namespace atl {
namespace {

/// The choice that gains most so far; of equals the first.
template <typename Gain>
struct Best {
  Gain gain = 0;
  std::uint32_t low = 0, high = 0;

  void offer(Gain of, std::uint32_t from, std::uint32_t to) {
    if (of > gain) {
      gain = of;
      low = from;
      high = to;
    }
  }
  std::optional<FittedInterval> interval() const {
    return gain > 0 ? std::optional(FittedInterval{low, high, 0}) : std::nullopt;
  }
};

template <typename Gain>
Gain sum_of(std::span<const Gain> gains) {
  return std::accumulate(gains.begin(), gains.end(), Gain{0});
}

bool any_row(std::span<const std::uint32_t> counts, std::uint32_t code) {
  const std::size_t at = std::size_t{code} * 2;
  return (counts[at] | counts[at + 1]) != 0;
}

/// The longest of the intervals that end at the last code, do not begin at the first and gain most.
template <typename Gain>
Best<Gain> best_to_last(std::span<const std::uint32_t> counts, std::span<const Gain> gains) {
  const auto last = static_cast<std::uint32_t>(gains.size()) - 1;
  const Gain total = sum_of(gains);
  Best<Gain> best;
  Gain before = 0;
  for (std::uint32_t code = 0; code <= last; ++code) {
    if (code > 0 && any_row(counts, code)) best.offer(total - before, code, last);
    before += gains[code];
  }
  return best;
}

/// Ends where the gain of all codes up to the last exceeds that of all before the first by most
/// (Kadane). It must not take all codes. The loop has no branches: which way they go is chance.
template <typename Gain>
Best<Gain> best_interval(std::span<const std::uint32_t> counts, std::span<const Gain> gains) {
  const auto last = static_cast<std::uint32_t>(gains.size()) - 1;
  Best<Gain> best;
  Gain before = 0;               // gained by all codes below
  Gain least = 0;                // of these gains, from the first code on that a row has
  std::uint32_t least_code = 0;  // before which it is; of equals the last
  Gain end = 0;                  // the interval to the last code that a row has
  for (std::uint32_t code = 0; code <= last; ++code) {
    const bool any = any_row(counts, code);
    const bool is_least = any && before <= least;
    least = is_least ? before : least;
    least_code = is_least ? code : least_code;
    before += gains[code];
    end = before - least;
    const bool is_best = any && end > best.gain && code < last;
    best.gain = is_best ? end : best.gain;
    best.low = is_best ? least_code : best.low;
    best.high = is_best ? code : best.high;
  }
  if (!any_row(counts, last)) return best;
  if (least_code > 0) {
    best.offer(end, least_code, last);
  } else {
    const Best<Gain> to_last = best_to_last(counts, gains);
    best.offer(to_last.gain, to_last.low, to_last.high);
  }
  return best;
}

}  // namespace

template <typename Gain>
std::optional<FittedInterval> best_of_all(BoundRelation relation,
                                          std::span<const std::uint32_t> counts,
                                          std::span<const Gain> gains) {
  if (relation == BoundRelation::interval) return best_interval(counts, gains).interval();
  const auto last = static_cast<std::uint32_t>(gains.size()) - 1;
  Best<Gain> best;
  const auto offer_each = [&](const auto& offer) {
    Gain before = 0;
    for (std::uint32_t code = 0; code <= last; ++code) {
      if (!any_row(counts, code)) continue;
      offer(code, before);
      before += gains[code];
    }
  };
  const auto all = [&] { return sum_of(gains); };
  if (relation == BoundRelation::equal) {
    offer_each([&](std::uint32_t code, Gain) { best.offer(gains[code], code, code); });
  } else if (relation == BoundRelation::not_equal) {
    const Gain total = all();
    offer_each([&](std::uint32_t code, Gain) { best.offer(total - gains[code], code, code); });
  } else if (relation == BoundRelation::less_equal) {
    offer_each([&](std::uint32_t code, Gain before) {
      if (code < last) best.offer(before + gains[code], 0, code);
    });
  } else {
    const Gain total = all();
    offer_each([&](std::uint32_t code, Gain before) {
      if (code > 0) best.offer(total - before, code, last);
    });
  }
  return best.interval();
}

template <typename Gain>
std::optional<FittedInterval> best_through(std::uint32_t through, std::span<const Gain> gains) {
  const auto distinct = static_cast<std::uint32_t>(gains.size());
  FittedInterval best{through, through, 0};
  Gain sum = gains[through];
  Gain most = sum;
  for (std::uint32_t code = through + 1; code < distinct; ++code) {
    sum += gains[code];
    if (sum <= most) continue;
    most = sum;
    best.high = code;
  }
  sum = most;
  for (std::uint32_t code = through; code-- > 0;) {
    sum += gains[code];
    if (sum <= most) continue;
    most = sum;
    best.low = code;
  }
  if (most <= 0 || (best.low == 0 && best.high + 1 == distinct)) return std::nullopt;
  return best;
}

template <typename Gain>
std::optional<FittedInterval> only_code(BoundRelation relation, std::uint32_t code,
                                        std::span<const Gain> gains) {
  const Gain of_code = gains[code];
  const Gain gain = relation == BoundRelation::not_equal ? sum_of(gains) - of_code : of_code;
  if (gain <= 0) return std::nullopt;
  return FittedInterval{code, code, 0};
}

template std::optional<FittedInterval> best_of_all(BoundRelation, std::span<const std::uint32_t>,
                                                   std::span<const NarrowGain>);
template std::optional<FittedInterval> best_of_all(BoundRelation, std::span<const std::uint32_t>,
                                                   std::span<const WideGain>);
template std::optional<FittedInterval> best_through(std::uint32_t, std::span<const NarrowGain>);
template std::optional<FittedInterval> best_through(std::uint32_t, std::span<const WideGain>);
template std::optional<FittedInterval> only_code(BoundRelation, std::uint32_t,
                                                 std::span<const NarrowGain>);
template std::optional<FittedInterval> only_code(BoundRelation, std::uint32_t,
                                                 std::span<const WideGain>);

}  // namespace atl
