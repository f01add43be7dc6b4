#include "src/sampling/best_interval.hpp"

#include <limits>
#include <numeric>

namespace atl {

namespace {

/// The interval of a relation that gains most in all.
class BestInterval {
 public:
  BestInterval(BoundRelation relation, std::uint32_t last, std::int64_t total)
      : relation_(relation), last_(last), total_(total) {}

  /// In ascending order of codes. Codes that no row has are left out: they gain nothing.
  void add(std::uint32_t code, std::int64_t gain) {
    switch (relation_) {
      case BoundRelation::equal:
        offer(gain, code, code);
        break;
      case BoundRelation::not_equal:
        offer(total_ - gain, code, code);
        break;
      case BoundRelation::less_equal:
        if (code < last_) offer(before_ + gain, 0, code);
        break;
      case BoundRelation::greater:
        if (code > 0) offer(total_ - before_, code, last_);
        break;
      case BoundRelation::interval:
        add_to_run(code, gain);
        break;
    }
    before_ += gain;
  }

  std::optional<FittedInterval> best() const { return best_; }

 private:
  // The best sum of consecutive gains (Kadane), which must not take all codes.
  void add_to_run(std::uint32_t code, std::int64_t gain) {
    if (run_ <= 0) {
      run_ = 0;
      run_low_ = code;
    }
    run_ += gain;
    if (code > 0 && before_ < least_before_) {
      least_before_ = before_;
      least_low_ = code;
    }
    if (run_low_ > 0 || code < last_) {
      offer(run_, run_low_, code);
    } else if (least_low_ > 0) {
      offer(total_ - least_before_, least_low_, last_);
    }
  }

  void offer(std::int64_t gain, std::uint32_t low, std::uint32_t high) {
    if (gain <= best_gain_) return;
    best_gain_ = gain;
    best_ = FittedInterval{low, high, 0};
  }

  BoundRelation relation_;
  std::uint32_t last_;
  std::int64_t total_;       // of all codes
  std::int64_t before_ = 0;  // of the codes added
  std::int64_t run_ = 0;     // of the interval that ends at the last code
  std::uint32_t run_low_ = 0;
  std::int64_t least_before_ = std::numeric_limits<std::int64_t>::max();
  std::uint32_t least_low_ = 0;  // behind the codes that gain least together
  std::optional<FittedInterval> best_;
  std::int64_t best_gain_ = 0;
};

}  // namespace

std::optional<FittedInterval> best_of_all(BoundRelation relation,
                                          std::span<const std::uint32_t> counts,
                                          std::span<const std::int64_t> gains) {
  const auto distinct = static_cast<std::uint32_t>(gains.size());
  BestInterval interval(relation, distinct - 1,
                        std::accumulate(gains.begin(), gains.end(), std::int64_t{0}));
  for (std::uint32_t code = 0; code < distinct; ++code) {
    const std::size_t at = std::size_t{code} * 2;
    if ((counts[at] | counts[at + 1]) != 0) interval.add(code, gains[code]);
  }
  return interval.best();
}

std::optional<FittedInterval> best_through(std::uint32_t through,
                                           std::span<const std::int64_t> gains) {
  const auto distinct = static_cast<std::uint32_t>(gains.size());
  FittedInterval best{through, through, 0};
  std::int64_t sum = gains[through];
  std::int64_t most = sum;
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

std::optional<FittedInterval> only_code(BoundRelation relation, std::uint32_t code,
                                        std::span<const std::int64_t> gains) {
  std::int64_t gain = gains[code];
  if (relation == BoundRelation::not_equal)
    gain = std::accumulate(gains.begin(), gains.end(), std::int64_t{0}) - gain;
  if (gain <= 0) return std::nullopt;
  return FittedInterval{code, code, 0};
}

}  // namespace atl
