#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "src/rules/comparison.hpp"
#include "src/sampling/best_interval.hpp"
#include "src/sampling/chi_squared.hpp"
#include "src/sampling/code_filter.hpp"
#include "src/sampling/group_fits.hpp"
#include "src/sampling/interval_sample.hpp"

namespace atl {
namespace {

/// The rows of a sample on which a trial's rest holds, in the sample's order, picked as far as they
/// are asked for. Reusable: keeps its memory.
class PickedRows {
 public:
  /// Rows, and how many of them are positive.
  struct Some {
    std::span<const std::uint32_t> rows;  ///< 2 r + 1 for a positive row r, else 2 r
    std::int64_t positives;
  };

  explicit PickedRows(const IntervalSample& sample);

  /// Are these the rows that the trial asks for?
  bool are_of(const IntervalTrial& trial) const noexcept;
  /// Makes them those of this trial from now on.
  void be_of(const IntervalTrial& trial);
  /// The first rows, at most so many. Valid until the next call.
  Some first(std::size_t count);

 private:
  void pick(std::size_t count);

  const IntervalSample& sample_;
  std::vector<Comparison> rest_, positives_;
  std::size_t looked_at_ = 0;  // rows of the sample, whole blocks
  std::size_t picked_ = 0, positives_picked_ = 0;
  std::unique_ptr<std::uint32_t[]> rows_;  // and room for a block more
  std::size_t counted_ = 0;                // rows that were asked for last, and their positives
  std::size_t counted_positives_ = 0;
};

constexpr std::size_t block = IntervalSample::block_rows;
static_assert(block == filter_rows);
constexpr std::size_t block_words = block / 64;

/// @param first  row
void limit(const IntervalSample& sample, const Comparison& c, std::size_t first,
           std::uint64_t* rows) {
  sample.with_codes(c.attribute, [&]<typename Code>(const Code* codes) {
    const std::uint32_t missing = sample.distinct(c.attribute);
    const std::uint32_t low = asks_missing(c) ? missing : c.low;
    const std::uint32_t high = asks_missing(c) ? missing : c.high;
    filter(CodeFilter<Code>{static_cast<Code>(low), static_cast<Code>(high), c.negated,
                            static_cast<Code>(missing)},
           codes + first, rows);
  });
}

std::size_t positives_of(std::span<const std::uint32_t> rows) {
  std::uint32_t positives = 0;
  for (const std::uint32_t row : rows) positives += row % 2;
  return positives;
}

PickedRows::PickedRows(const IntervalSample& sample)
    : sample_(sample),
      rows_(std::make_unique_for_overwrite<std::uint32_t[]>(sample.enough() + block + spare_rows)) {
  constexpr std::size_t many = 64;
  for (auto* comparisons : {&rest_, &positives_}) comparisons->reserve(many);
}

bool PickedRows::are_of(const IntervalTrial& trial) const noexcept {
  if (!std::equal(trial.positives.begin(), trial.positives.end(), positives_.begin(),
                  positives_.end()))
    return false;
  std::size_t at = 0;
  for (const Comparison& c : trial.rest) {
    if (c.attribute == trial.attribute) continue;
    if (at == rest_.size() || !(rest_[at] == c)) return false;
    ++at;
  }
  return at == rest_.size();
}

void PickedRows::be_of(const IntervalTrial& trial) {
  rest_.clear();
  for (const Comparison& c : trial.rest) {
    if (c.attribute != trial.attribute) rest_.push_back(c);
  }
  positives_.assign(trial.positives.begin(), trial.positives.end());
  looked_at_ = picked_ = counted_ = 0;
  positives_picked_ = counted_positives_ = 0;
}

void PickedRows::pick(std::size_t count) {
  for (; picked_ < count && looked_at_ < sample_.rows(); looked_at_ += block) {
    std::array<std::uint64_t, block_words> among;
    among.fill(~std::uint64_t{0});
    if (const std::size_t left = sample_.rows() - looked_at_; left < block) {
      for (std::size_t w = 0; w < block_words; ++w) {
        const std::size_t beyond = std::min(left, w * 64);
        among[w] =
            left - beyond >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (left - beyond)) - 1;
      }
    }
    for (const Comparison& c : rest_) limit(sample_, c, looked_at_, among.data());
    auto hits = among;
    for (const Comparison& c : positives_) limit(sample_, c, looked_at_, hits.data());
    const ListedRows listed = list_rows(
        among.data(), hits.data(), static_cast<std::uint32_t>(looked_at_), rows_.get() + picked_);
    picked_ += listed.rows;
    positives_picked_ += listed.marked;
  }
}

PickedRows::Some PickedRows::first(std::size_t count) {
  count = std::min(count, sample_.enough());
  pick(count);
  const std::span<const std::uint32_t> picked(rows_.get(), picked_);
  const auto rows = picked.first(std::min(count, picked_));
  if (rows.size() != counted_) {
    const auto beyond = picked.subspan(rows.size());
    counted_positives_ =
        beyond.size() < rows.size() ? positives_picked_ - positives_of(beyond) : positives_of(rows);
    counted_ = rows.size();
  }
  return {rows, static_cast<std::int64_t>(counted_positives_)};
}

struct Rows {
  std::int64_t rows, positives;
};

constexpr std::size_t many_codes = std::size_t{1} << 16;  // room for more is made when they come

/// Counts of how often codes occur on rows.
struct Histogram {
  /// @param codes  at most, with that of a missing value
  explicit Histogram(std::size_t codes) { counts.reserve(std::min(codes, many_codes) * 2); }

  const PickedRows* picked = nullptr;
  std::uint32_t attribute = 0;
  Rows all{0, 0};                     // with a value or without
  std::vector<std::uint32_t> counts;  // [2 code + 1] rows that are positive, [2 code] others

  Rows inside(std::uint32_t low, std::uint32_t high) const {
    Rows sum{0, 0};
    for (std::size_t at = std::size_t{low} * 2; at < std::size_t{high} * 2 + 2; at += 2) {
      sum.rows += std::int64_t{counts[at]} + counts[at + 1];
      sum.positives += counts[at + 1];
    }
    return sum;
  }
};

/// Counts of so many rows fit in 16 bits.
constexpr std::size_t rows_of_narrow_counts = 65535;

/// One counter after the other would wait for the addition before, where most rows have one code:
/// rows take turns among tables. Where there are many codes one table of narrow counters lies in
/// the cache.
/// @param counts  [(distinct + 1) * 2] zeros at first; the last code is a missing value's
/// @param narrow  scratch
template <typename Code>
void count(const Code* codes, std::span<const std::uint32_t> rows, std::span<std::uint32_t> counts,
           std::vector<std::uint16_t>& narrow) {
  constexpr std::size_t ways = 4, most = 1024;
  const auto cell = [codes](std::uint32_t row) {
    return std::size_t{codes[row / 2]} * 2 + row % 2;
  };
  if (counts.size() > most) {
    for (; !rows.empty(); rows = rows.subspan(std::min(rows.size(), rows_of_narrow_counts))) {
      narrow.assign(counts.size(), 0);
      for (const std::uint32_t row : rows.first(std::min(rows.size(), rows_of_narrow_counts)))
        ++narrow[cell(row)];
      for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += narrow[c];
    }
    return;
  }
  std::array<std::array<std::uint32_t, most>, ways> tables;
  for (auto& table : tables) std::fill_n(table.begin(), counts.size(), 0);
  std::size_t i = 0;
  for (; i + ways <= rows.size(); i += ways) {
    for (std::size_t way = 0; way < ways; ++way) ++tables[way][cell(rows[i + way])];
  }
  for (; i < rows.size(); ++i) ++tables[0][cell(rows[i])];
  for (const auto& table : tables) {
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += table[c];
  }
}

/// Fits one trial to a histogram.
template <typename Gain>
class HistogramFit {
 public:
  HistogramFit(const IntervalTrial& trial, const Histogram& histogram, std::vector<Gain>& gains)
      : trial_(trial), histogram_(histogram), gains_(gains) {}

  std::optional<FittedInterval> best() {
    const Rows& all = histogram_.all;
    PositiveShare share = trial_.share.value_or(PositiveShare{all.positives, all.rows});
    auto best = best_for(share);
    for (int round = 0; best && trial_.refine_threshold && round < threshold_rounds; ++round) {
      const Rows inside = histogram_.inside(best->low, best->high);
      const Rows outside{all.rows - inside.rows, all.positives - inside.positives};
      if (outside.rows == 0) break;
      share = {inside.positives * outside.rows + outside.positives * inside.rows,
               2 * inside.rows * outside.rows};
      const auto sharper = best_for(share);
      if (!sharper || (sharper->low == best->low && sharper->high == best->high)) break;
      best = sharper;
    }
    if (best && !trial_.edges.empty()) best = at_edges(*best, share);
    if (best) {
      const Rows inside = histogram_.inside(best->low, best->high);
      best->chi_squared = chi_squared(inside.rows, inside.positives, all.rows, all.positives);
    }
    return best;
  }

 private:
  std::optional<FittedInterval> best_for(const PositiveShare& share) {
    const auto& counts = histogram_.counts;
    gains_.resize(counts.size() / 2 - 1);  // without the missing
    const Gain of_positive = share.rows - share.positives, of_other = share.positives;
    for (std::size_t code = 0; code < gains_.size(); ++code) {
      gains_[code] = counts[code * 2 + 1] * of_positive - counts[code * 2] * of_other;
    }
    const std::span<const Gain> gains = gains_;
    if (trial_.only) return only_code(trial_.relation, *trial_.only, gains);
    return trial_.through && trial_.relation == BoundRelation::interval
               ? best_through(*trial_.through, gains)
               : best_of_all(trial_.relation, counts, gains);
  }

  /// Moves bounds back to the edges of their bins. @param share  that of the gains
  FittedInterval at_edges(const FittedInterval& best, const PositiveShare& share) const {
    const auto last = static_cast<std::uint32_t>(gains_.size());
    const std::uint32_t low = moved(best.low, share), end = moved(best.high + 1, share);
    const bool any = low < end && !(low == 0 && end == last);
    return any ? FittedInterval{low, end - 1, 0} : best;
  }

  /// The loss if the codes from one to another are on the other side.
  struct Loss {
    double positives, rows;
  };
  Loss loss(std::uint32_t from, std::uint32_t to, const PositiveShare& share) const {
    Gain gain = 0;
    for (std::size_t code = from; code < to; ++code) gain += gains_[code];
    const Rows between = from < to ? histogram_.inside(from, to - 1) : Rows{0, 0};
    return {static_cast<double>(gain < 0 ? -gain : gain) / static_cast<double>(share.rows),
            static_cast<double>(between.rows)};
  }

  /// @param code  the first beyond the bound
  std::uint32_t moved(std::uint32_t code, const PositiveShare& share) const {
    const auto last = static_cast<std::uint32_t>(gains_.size());
    if (code == 0 || code == last) return code;
    const auto& edges = trial_.edges;
    const auto after = std::lower_bound(edges.begin(), edges.end(), code);
    if (after != edges.end() && *after == code) return code;
    const std::uint32_t below = after == edges.begin() ? 0 : *(after - 1);
    const std::uint32_t above = after == edges.end() ? last : *after;
    const Loss to_below = loss(below, code, share), to_above = loss(code, above, share);
    const bool is_below = to_below.positives < to_above.positives;
    const Loss& less = is_below ? to_below : to_above;
    const double p = static_cast<double>(share.positives) / static_cast<double>(share.rows);
    // Written so that a share of no rows, which is none, moves the bound.
    const bool is_lost = less.positives * less.positives > less.rows * p * (1 - p);
    return is_lost ? code : (is_below ? below : above);
  }

  const IntervalTrial& trial_;
  const Histogram& histogram_;
  std::vector<Gain>& gains_;  // [code]
};

class CpuIntervalFitter final : public IntervalFitter {
 public:
  explicit CpuIntervalFitter(std::shared_ptr<const IntervalSample> sample)
      : sample_(std::move(sample)) {
    constexpr std::size_t many = 256;
    narrow_.reserve(sample_->most_distinct());
    fitted_.reserve(many);
  }

  void prepare(std::span<const IntervalGroup> groups) override {
    groups_ = groups;
    // Each trial may ask for rows and codes of its own, the best two again for more of them.
    std::size_t trials = 0;
    for (const IntervalGroup& group : groups) trials = std::max(trials, group.trials.size());
    while (picks_.size() < trials)
      picks_.push_back(std::make_unique<Pick>(Pick{PickedRows(*sample_), 0}));
    while (known_.size() < trials + compared_again)
      known_.push_back(std::make_unique<Histogram>(std::size_t{sample_->most_distinct()} + 1));
  }
  void start() override {
    fitted_.clear();
    for (const IntervalGroup& group : groups_) {
      histograms_ = 0;
      ++group_;
      fitted_.push_back(fits_(group, [this](const IntervalTrial& trial, std::size_t rows) {
        return fit(trial, rows);
      }));
    }
  }
  void finish() override {}
  void read(std::span<FittedGroup> out) override {
    std::copy(fitted_.begin(), fitted_.end(), out.begin());
  }

 private:
  struct Pick {
    PickedRows rows;
    std::uint64_t group;  // that used it last
  };

  std::optional<FittedInterval> fit(const IntervalTrial& trial, std::size_t rows) {
    const Histogram& histogram = histogram_of(trial, rows);
    if (histogram.all.rows <= most_rows_of_narrow_gains)
      return HistogramFit<NarrowGain>(trial, histogram, narrow_).best();
    return HistogramFit<WideGain>(trial, histogram, wide_).best();
  }

  /// Trials of a group mostly ask for the same rows, groups often for those of the one before.
  PickedRows& picked_for(const IntervalTrial& trial) {
    for (const auto& pick : picks_) {
      if (!pick->rows.are_of(trial)) continue;
      pick->group = group_;
      return pick->rows;
    }
    Pick& pick = **std::find_if(picks_.begin(), picks_.end(),
                                [this](const auto& other) { return other->group != group_; });
    pick.group = group_;
    pick.rows.be_of(trial);
    return pick.rows;
  }

  const Histogram& histogram_of(const IntervalTrial& trial, std::size_t most) {
    PickedRows& picked = picked_for(trial);
    const PickedRows::Some some = picked.first(most);
    const auto all = static_cast<std::int64_t>(some.rows.size());
    for (std::size_t i = 0; i < histograms_; ++i) {
      const Histogram& known = *known_[i];
      if (known.picked == &picked && known.attribute == trial.attribute && known.all.rows == all)
        return known;
    }
    Histogram& histogram = *known_[histograms_++];
    histogram.picked = &picked;
    histogram.attribute = trial.attribute;
    histogram.all = {all, some.positives};
    histogram.counts.assign((std::size_t{sample_->distinct(trial.attribute)} + 1) * 2, 0);
    sample_->with_codes(trial.attribute, [&](const auto* codes) {
      count(codes, some.rows, histogram.counts, narrow_counts_);
    });
    return histogram;
  }

  std::shared_ptr<const IntervalSample> sample_;
  GroupFits fits_;
  std::span<const IntervalGroup> groups_;
  std::uint64_t group_ = 0;  // of all that were fitted
  std::vector<std::unique_ptr<Pick>> picks_;
  std::size_t histograms_ = 0;                     // of this group
  std::vector<std::unique_ptr<Histogram>> known_;  // [histograms_] and memory for more
  std::vector<std::uint16_t> narrow_counts_;
  std::vector<NarrowGain> narrow_;
  std::vector<WideGain> wide_;
  std::vector<FittedGroup> fitted_;
};

}  // namespace

std::unique_ptr<IntervalFitter> make_cpu_interval_fitter(
    std::shared_ptr<const IntervalSample> sample) {
  return std::make_unique<CpuIntervalFitter>(std::move(sample));
}

}  // namespace atl
