// The fitter that every other must agree with: plain loops over rows and codes.
#include <algorithm>
#include <vector>

#include "src/sampling/best_interval.hpp"
#include "src/sampling/chi_squared.hpp"
#include "src/sampling/group_fits.hpp"

namespace atl {
namespace {

struct Tally {
  std::int64_t rows = 0, positives = 0;
};

/// One trial on the rows that it looks at.
class ReferenceFit {
 public:
  ReferenceFit(const Dataset& dataset, std::span<const std::uint64_t> order, std::uint64_t enough,
               const IntervalTrial& trial, std::size_t most)
      : trial_(trial),
        last_(dataset.attributes()[trial.attribute].distinct() - 1),
        counts_(std::size_t{last_} + 1),
        below_(std::size_t{last_} + 2) {
    const std::uint64_t limit = std::min<std::uint64_t>(enough, most);
    for (const std::uint64_t row : order) {
      if (static_cast<std::uint64_t>(whole_.rows) == limit) break;
      if (!among(dataset, row)) continue;
      const bool positive =
          std::all_of(trial.positives.begin(), trial.positives.end(),
                      [&](const Comparison& c) { return holds(dataset, row, c); });
      count(whole_, positive);
      const std::uint32_t code = dataset.code(row, trial.attribute);
      if (code != missing_code) count(counts_[code], positive);
    }
    for (std::size_t code = 0; code <= last_; ++code) {
      below_[code + 1] = {below_[code].rows + counts_[code].rows,
                          below_[code].positives + counts_[code].positives};
    }
  }

  std::optional<FittedInterval> best() const {
    PositiveShare share = trial_.share.value_or(PositiveShare{whole_.positives, whole_.rows});
    auto best = best_for(share);
    for (int round = 0; best && trial_.refine_threshold && round < threshold_rounds; ++round) {
      const Tally in = inside(best->low, best->high);
      const Tally out{whole_.rows - in.rows, whole_.positives - in.positives};
      if (out.rows == 0) break;
      share = {in.positives * out.rows + out.positives * in.rows, 2 * in.rows * out.rows};
      const auto sharper = best_for(share);
      if (!sharper || *sharper == *best) break;
      best = sharper;
    }
    if (best && !trial_.edges.empty()) best = at_edges(*best, share);
    if (best) {
      const Tally in = inside(best->low, best->high);
      best->chi_squared = chi_squared(in.rows, in.positives, whole_.rows, whole_.positives);
    }
    return best;
  }

 private:
  static bool holds(const Dataset& dataset, std::uint64_t row, const Comparison& c) {
    const std::uint32_t code = dataset.code(row, c.attribute);
    return takes(c, code);
  }
  bool among(const Dataset& dataset, std::uint64_t row) const {
    return std::all_of(trial_.rest.begin(), trial_.rest.end(), [&](const Comparison& c) {
      return c.attribute == trial_.attribute || holds(dataset, row, c);
    });
  }
  static void count(Tally& rows, bool positive) {
    ++rows.rows;
    if (positive) ++rows.positives;
  }
  Tally inside(std::uint32_t low, std::uint32_t high) const {
    const Tally &to = below_[std::size_t{high} + 1], &from = below_[low];
    return {to.rows - from.rows, to.positives - from.positives};
  }
  WideGain gain(std::uint32_t low, std::uint32_t high, const PositiveShare& share) const {
    const Tally in = inside(low, high);
    return WideGain{in.positives} * share.rows - WideGain{in.rows} * share.positives;
  }

  /// The better of two choices; the first of equals.
  struct Best {
    WideGain gain = 0;
    std::optional<FittedInterval> interval;
    void offer(WideGain of, std::uint32_t low, std::uint32_t high) {
      if (of <= gain) return;
      gain = of;
      interval = FittedInterval{low, high, 0};
    }
  };

  std::optional<FittedInterval> best_for(const PositiveShare& share) const {
    Best best;
    if (trial_.only) {
      const WideGain of_code = gain(*trial_.only, *trial_.only, share);
      const bool negated = trial_.relation == BoundRelation::not_equal;
      best.offer(negated ? gain(0, last_, share) - of_code : of_code, *trial_.only, *trial_.only);
    } else if (trial_.through && trial_.relation == BoundRelation::interval) {
      offer_through(*trial_.through, share, best);
    } else {
      for (std::uint32_t code = 0; code <= last_; ++code) {
        if (counts_[code].rows != 0) offer_up_to(code, share, best);
      }
    }
    return best.interval;
  }

  /// Every choice of the relation that ends, or for `greater` begins, at a code that some row has.
  void offer_up_to(std::uint32_t code, const PositiveShare& share, Best& best) const {
    const WideGain all = gain(0, last_, share);
    switch (trial_.relation) {
      case BoundRelation::equal:
        return best.offer(gain(code, code, share), code, code);
      case BoundRelation::not_equal:
        return best.offer(all - gain(code, code, share), code, code);
      case BoundRelation::less_equal:
        if (code < last_) best.offer(gain(0, code, share), 0, code);
        return;
      case BoundRelation::greater:
        if (code > 0) best.offer(gain(code, last_, share), code, last_);
        return;
      case BoundRelation::interval:
        return offer_intervals_to(code, share, best);
      case BoundRelation::missing:
      case BoundRelation::known:
        return;  // have no codes to fit
    }
  }

  /// Offers the intervals to a code, of equals the shortest. Where all codes would gain most, which
  /// no comparison may take, it is the longest of those that end at the last code.
  void offer_intervals_to(std::uint32_t high, const PositiveShare& share, Best& best) const {
    WideGain most = 0;
    std::optional<std::uint32_t> shortest;
    for (std::uint32_t low = high + 1; low-- > 0;) {
      if (counts_[low].rows == 0) continue;
      const WideGain of = gain(low, high, share);
      if (shortest && of <= most) continue;
      most = of;
      shortest = low;
    }
    if (*shortest > 0 || high < last_) return best.offer(most, *shortest, high);
    Best beyond_first;
    for (std::uint32_t low = 1; low <= high; ++low) {
      if (counts_[low].rows != 0) beyond_first.offer(gain(low, high, share), low, high);
    }
    if (beyond_first.interval) best.offer(beyond_first.gain, beyond_first.interval->low, high);
  }

  /// Offers the intervals through a code, of equals the shortest on both sides of it; all codes are
  /// no choice.
  void offer_through(std::uint32_t code, const PositiveShare& share, Best& best) const {
    std::uint32_t low = code, high = code;
    for (std::uint32_t to = code + 1; to <= last_; ++to) {
      if (gain(code, to, share) > gain(code, high, share)) high = to;
    }
    for (std::uint32_t from = code; from-- > 0;) {
      if (gain(from, code, share) > gain(low, code, share)) low = from;
    }
    if (low > 0 || high < last_) best.offer(gain(low, high, share), low, high);
  }

  FittedInterval at_edges(const FittedInterval& best, const PositiveShare& share) const {
    const std::uint32_t low = moved(best.low, share), end = moved(best.high + 1, share);
    const bool any = low < end && !(low == 0 && end == last_ + 1);
    return any ? FittedInterval{low, end - 1, 0} : best;
  }

  /// Moves a bound to the nearer edge of its bin, if what lies between is there by chance.
  /// @param code  the first beyond a bound
  std::uint32_t moved(std::uint32_t code, const PositiveShare& share) const {
    if (code == 0 || code == last_ + 1) return code;
    std::uint32_t below = 0, above = last_ + 1;
    for (const std::uint32_t edge : trial_.edges) {
      if (edge <= code) below = edge;
      if (edge >= code) above = std::min(above, edge);
    }
    if (below == code || above == code) return code;
    const auto weight = static_cast<double>(share.rows);
    const auto loss = [&](std::uint32_t from, std::uint32_t to) {
      const WideGain of = gain(from, to - 1, share);
      return static_cast<double>(of < 0 ? -of : of) / weight;
    };
    const bool is_below = loss(below, code) < loss(code, above);
    const std::uint32_t from = is_below ? below : code, to = is_below ? code : above;
    const double p = static_cast<double>(share.positives) / weight;
    const auto rows = static_cast<double>(inside(from, to - 1).rows);
    if (loss(from, to) * loss(from, to) > rows * p * (1 - p)) return code;
    return is_below ? below : above;
  }

  const IntervalTrial& trial_;
  std::uint32_t last_;  // code
  Tally whole_;
  std::vector<Tally> counts_;  // [code]
  std::vector<Tally> below_;   // [code] of all codes below it
};

class ReferenceIntervalFitter final : public IntervalFitter {
 public:
  ReferenceIntervalFitter(const Dataset& dataset, const IntervalRows& rows)
      : dataset_(dataset), order_(rows_to_look_at(dataset, rows)), enough_(rows.enough) {}

  void prepare(std::span<const IntervalGroup> groups) override { groups_ = groups; }
  void start() override {
    fitted_.clear();
    const auto fit = [&](const IntervalTrial& trial, std::size_t rows) {
      return ReferenceFit(dataset_, order_, enough_, trial, rows).best();
    };
    for (const IntervalGroup& group : groups_) fitted_.push_back(GroupFits()(group, fit));
  }
  void finish() override {}
  void read(std::span<FittedGroup> out) override {
    std::copy(fitted_.begin(), fitted_.end(), out.begin());
  }

 private:
  const Dataset& dataset_;
  std::vector<std::uint64_t> order_;
  std::uint64_t enough_;
  std::span<const IntervalGroup> groups_;
  std::vector<FittedGroup> fitted_;
};

}  // namespace

std::unique_ptr<IntervalFitter> make_reference_interval_fitter(const Dataset& dataset,
                                                               const IntervalRows& rows) {
  return std::make_unique<ReferenceIntervalFitter>(dataset, rows);
}

}  // namespace atl
