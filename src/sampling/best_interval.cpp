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

/// The interval before whose first code all gain least ends where the sum is greatest (Kadane). It
/// must not take all codes.
template <typename Gain>
Best<Gain> best_interval(std::span<const std::uint32_t> counts, std::span<const Gain> gains) {
  const auto last = static_cast<std::uint32_t>(gains.size()) - 1;
  Best<Gain> best;
  Gain before = 0;  // gained by all codes below
  Gain least = 0;   // of what lies before a code, and of which code, the last of equals
  std::uint32_t least_code = 0;
  bool any = false;
  Gain least_inside = 0;  // likewise, but not before the first code; the first of equals
  std::uint32_t least_inside_code = 0;
  for (std::uint32_t code = 0; code <= last; ++code) {
    if (!any_row(counts, code)) continue;  // its gain is 0
    if (!any || before <= least) {
      any = true;
      least = before;
      least_code = code;
    }
    if (code > 0 && (least_inside_code == 0 || before < least_inside)) {
      least_inside = before;
      least_inside_code = code;
    }
    before += gains[code];
    if (least_code > 0 || code < last) {
      best.offer(before - least, least_code, code);
    } else if (least_inside_code > 0) {
      best.offer(before - least_inside, least_inside_code, last);
    }
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
