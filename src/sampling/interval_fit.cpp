#include "src/sampling/interval_fit.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "src/data/drawn_row.hpp"
#include "src/sampling/best_interval.hpp"
#include "src/sampling/chi_squared.hpp"
#include "src/sampling/code_filter.hpp"
#include "src/sampling/group_fits.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 25;  // of all attributes
constexpr std::size_t block = filter_rows;                    // rows counted at a time
constexpr std::size_t block_words = block / 64;

/// The numbers below `count` in an order of which every beginning is spread over all of them (van
/// der Corput 1935).
std::vector<std::uint64_t> spread_order(std::uint64_t count) {
  const std::uint64_t power = std::bit_ceil(std::max<std::uint64_t>(count, 1));
  std::vector<std::uint64_t> order;
  order.reserve(count);
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < power; ++i) {
    if (place < count) order.push_back(place);
    std::uint64_t carry = power / 2;  // adds 1 at the other end
    for (; (place & carry) != 0; carry /= 2) place ^= carry;
    place |= carry;
  }
  return order;
}

std::vector<std::uint32_t> all_codes(const Dataset& dataset, std::uint32_t attribute) {
  std::vector<std::uint32_t> codes(dataset.rows());
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    dataset.codes(
        p, attribute,
        std::span(codes).subspan(dataset.partition_first_row(p), dataset.partition_rows(p)));
  }
  return codes;
}

struct Rows {
  std::int64_t rows, positives;
};

Rows rows_inside(const FittedInterval& codes, std::span<const std::uint32_t> counts) {
  Rows inside{0, 0};
  for (std::size_t at = std::size_t{codes.low} * 2; at < std::size_t{codes.high} * 2 + 2; at += 2) {
    inside.rows += std::int64_t{counts[at]} + counts[at + 1];
    inside.positives += counts[at + 1];
  }
  return inside;
}

/// @param picked  2 r + 1 or 2 r for each row r
/// @param counts  [2 code + 1] and [2 code] are raised
template <typename Code>
void count(const Code* codes, std::span<const std::uint32_t> picked,
           std::span<std::uint32_t> counts) {
  for (const std::uint32_t row : picked) {
    const Code code = codes[row / 2];
    if (code == std::numeric_limits<Code>::max()) continue;
    ++counts[std::size_t{code} * 2 + row % 2];
  }
}

/// One counter after the other would wait for the addition before, where most rows have one code.
void count(const std::uint8_t* codes, std::span<const std::uint32_t> picked,
           std::span<std::uint32_t> counts) {
  constexpr std::size_t ways = 2;
  std::array<std::array<std::uint32_t, 512>, ways> tables{};  // the last code is missing
  std::size_t i = 0;
  for (; i + ways <= picked.size(); i += ways) {
    for (std::size_t way = 0; way < ways; ++way) {
      const std::uint32_t row = picked[i + way];
      ++tables[way][codes[row / 2] * std::size_t{2} + row % 2];
    }
  }
  for (; i < picked.size(); ++i) ++tables[0][codes[picked[i] / 2] * std::size_t{2} + picked[i] % 2];
  for (const auto& table : tables) {
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += table[c];
  }
}

std::uint32_t width_of_codes(std::uint32_t distinct) {
  if (distinct <= std::numeric_limits<std::uint8_t>::max()) return 1;  // the greatest: missing
  return distinct <= std::numeric_limits<std::uint16_t>::max() ? 2 : 4;
}

}  // namespace

std::vector<std::uint64_t> rows_to_look_at(const Dataset& dataset, const IntervalRows& rows) {
  const std::uint64_t limit = most_cells / std::max<std::uint64_t>(dataset.attributes().size(), 1);
  const std::uint64_t count =
      std::min({dataset.rows(), rows.most, std::max<std::uint64_t>(limit, block)});
  std::vector<std::uint64_t> drawn = spread_order(count);
  for (std::uint64_t& row : drawn) row = drawn_row(row, count, dataset.rows());
  return drawn;
}

IntervalFit::IntervalFit(const Dataset& dataset, const IntervalRows& rows) : enough_(rows.enough) {
  const auto attributes = dataset.attributes();
  const std::vector<std::uint64_t> drawn = rows_to_look_at(dataset, rows);
  rows_ = drawn.size();
  stride_ = (rows_ + block - 1) / block * block;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const std::uint32_t distinct = attributes[a].distinct();
    const std::uint32_t width = width_of_codes(distinct);
    columns_.push_back({distinct, width, codes_.size()});
    codes_.resize(codes_.size() + stride_ * width, std::byte{0xFF});
    const std::vector<std::uint32_t> codes = all_codes(dataset, a);
    std::byte* out = codes_.data() + columns_.back().begin;
    // The low bytes of a code come first; those of a missing one are all ones.
    for (std::size_t i = 0; i < rows_; ++i, out += width) {
      std::memcpy(out, &codes[drawn[i]], width);
    }
  }
}

IntervalFit::Scratch::Scratch(const IntervalFit& fit) {
  constexpr std::size_t many = 64;
  std::size_t codes = 0;
  for (const Column& column : fit.columns_) codes = std::max<std::size_t>(codes, column.distinct);
  counts.reserve(codes * 2);
  gains.reserve(codes);
  picked.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(fit.rows_, fit.enough_)) + block +
                 spare_rows);
  for (auto* comparisons : {&rest, &goal, &asked}) comparisons->reserve(many);
}

template <typename Use>
void IntervalFit::with_codes(const Column& column, const Use& use) const {
  const std::byte* const at = codes_.data() + column.begin;
  if (column.width == 1) {
    use(reinterpret_cast<const std::uint8_t*>(at));
  } else if (column.width == 2) {
    use(reinterpret_cast<const std::uint16_t*>(at));
  } else {
    use(reinterpret_cast<const std::uint32_t*>(at));
  }
}

void IntervalFit::limit(const Comparison& c, std::size_t first, std::uint64_t* rows) const {
  with_codes(columns_[c.attribute], [&]<typename Code>(const Code* codes) {
    filter(CodeFilter<Code>{static_cast<Code>(c.low), static_cast<Code>(c.high), c.negated},
           codes + first, rows);
  });
}

void IntervalFit::pick_rows(const IntervalTrial& trial, Scratch& scratch) const {
  scratch.asked.clear();
  for (const Comparison& c : trial.rest) {
    if (c.attribute != trial.attribute) scratch.asked.push_back(c);
  }
  const bool known = scratch.asked_before && scratch.asked == scratch.rest &&
                     std::equal(trial.positives.begin(), trial.positives.end(),
                                scratch.goal.begin(), scratch.goal.end());
  if (known) return;
  scratch.asked_before = true;
  scratch.rest = scratch.asked;
  scratch.goal.assign(trial.positives.begin(), trial.positives.end());
  scratch.picked.clear();
  for (std::size_t first = 0; first < rows_ && scratch.picked.size() < enough_; first += block) {
    std::array<std::uint64_t, block_words> among;
    for (std::size_t w = 0; w < block_words; ++w) {
      const std::size_t left = rows_ - std::min(rows_, first + w * 64);
      among[w] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    }
    for (const Comparison& c : scratch.rest) limit(c, first, among.data());
    auto hits = among;
    for (const Comparison& c : trial.positives) limit(c, first, hits.data());
    const std::size_t before = scratch.picked.size();
    scratch.picked.resize(before + block + spare_rows);
    const std::size_t more = list_rows(among.data(), hits.data(), static_cast<std::uint32_t>(first),
                                       scratch.picked.data() + before);
    scratch.picked.resize(std::min<std::size_t>(before + more, enough_));
  }
}

std::optional<FittedInterval> IntervalFit::best_for(const IntervalTrial& trial,
                                                    const PositiveShare& share,
                                                    Scratch& scratch) const {
  auto& gains = scratch.gains;
  const auto& counts = scratch.counts;
  gains.resize(counts.size() / 2);
  for (std::size_t code = 0; code < gains.size(); ++code) {
    gains[code] =
        counts[code * 2 + 1] * (share.rows - share.positives) - counts[code * 2] * share.positives;
  }
  if (trial.only) return only_code(trial.relation, *trial.only, gains);
  return trial.through && trial.relation == BoundRelation::interval
             ? best_through(*trial.through, gains)
             : best_of_all(trial.relation, counts, gains);
}

FittedInterval IntervalFit::at_edges(const FittedInterval& best, const IntervalTrial& trial,
                                     const PositiveShare& share, const Scratch& scratch) {
  const auto last = static_cast<std::uint32_t>(scratch.gains.size());
  const double p = static_cast<double>(share.positives) / static_cast<double>(share.rows);
  // What is lost, in positive rows, if the codes between are on the other side.
  struct Loss {
    double positives, rows;
  };
  const auto loss = [&](std::uint32_t from, std::uint32_t to) {
    std::int64_t gain = 0, rows = 0;
    for (std::size_t code = from; code < to; ++code) {
      gain += scratch.gains[code];
      rows += std::int64_t{scratch.counts[code * 2]} + scratch.counts[code * 2 + 1];
    }
    return Loss{static_cast<double>(std::abs(gain)) / static_cast<double>(share.rows),
                static_cast<double>(rows)};
  };
  // @param code  the first beyond the bound
  const auto moved = [&](std::uint32_t code) {
    if (code == 0 || code == last) return code;
    const auto after = std::lower_bound(trial.edges.begin(), trial.edges.end(), code);
    if (after != trial.edges.end() && *after == code) return code;
    const std::uint32_t below = after == trial.edges.begin() ? 0 : *(after - 1);
    const std::uint32_t above = after == trial.edges.end() ? last : *after;
    const Loss to_below = loss(below, code), to_above = loss(code, above);
    const bool is_below = to_below.positives < to_above.positives;
    const Loss& less = is_below ? to_below : to_above;
    const bool by_chance = less.positives * less.positives <= less.rows * p * (1 - p);
    return by_chance ? (is_below ? below : above) : code;
  };
  const std::uint32_t low = moved(best.low), end = moved(best.high + 1);
  const bool any = low < end && !(low == 0 && end == last);
  return any ? FittedInterval{low, end - 1, 0} : best;
}

std::optional<FittedInterval> IntervalFit::best_codes(const IntervalTrial& trial, std::size_t rows,
                                                      Scratch& scratch) const {
  pick_rows(trial, scratch);
  const Column& own = columns_[trial.attribute];
  auto& counts = scratch.counts;
  counts.assign(std::size_t{own.distinct} * 2, 0);
  const auto picked =
      std::span<const std::uint32_t>(scratch.picked).first(std::min(rows, scratch.picked.size()));
  with_codes(own, [&](const auto* codes) { count(codes, picked, counts); });
  const Rows whole{
      static_cast<std::int64_t>(picked.size()),
      std::count_if(picked.begin(), picked.end(), [](std::uint32_t row) { return row % 2 == 1; })};
  PositiveShare share = trial.share.value_or(PositiveShare{whole.positives, whole.rows});
  auto best = best_for(trial, share, scratch);
  for (int round = 0; best && trial.refine_threshold && round < threshold_rounds; ++round) {
    const Rows inside = rows_inside(*best, scratch.counts);
    const Rows outside{whole.rows - inside.rows, whole.positives - inside.positives};
    if (outside.rows == 0) break;
    share = {inside.positives * outside.rows + outside.positives * inside.rows,
             2 * inside.rows * outside.rows};
    const auto sharper = best_for(trial, share, scratch);
    if (!sharper || (sharper->low == best->low && sharper->high == best->high)) break;
    best = sharper;
  }
  if (best && !trial.edges.empty()) best = at_edges(*best, trial, share, scratch);
  if (best) {
    const Rows inside = rows_inside(*best, scratch.counts);
    best->chi_squared = chi_squared(inside.rows, inside.positives, whole.rows, whole.positives);
  }
  return best;
}

namespace {

class CpuIntervalFitter final : public IntervalFitter {
 public:
  explicit CpuIntervalFitter(std::shared_ptr<const IntervalFit> sample)
      : sample_(std::move(sample)), scratch_(*sample_) {}

  void prepare(std::span<const IntervalGroup> groups) override { groups_ = groups; }
  void start() override {
    fitted_.clear();
    const auto fit = [&](const IntervalTrial& trial, std::size_t rows) {
      return sample_->best_codes(trial, rows, scratch_);
    };
    for (const IntervalGroup& group : groups_) fitted_.push_back(fits_(group, fit));
  }
  void finish() override {}
  void read(std::span<FittedGroup> out) override {
    std::copy(fitted_.begin(), fitted_.end(), out.begin());
  }

 private:
  std::shared_ptr<const IntervalFit> sample_;
  IntervalFit::Scratch scratch_;
  GroupFits fits_;
  std::span<const IntervalGroup> groups_;
  std::vector<FittedGroup> fitted_;
};

}  // namespace

std::unique_ptr<IntervalFitter> make_cpu_interval_fitter(
    std::shared_ptr<const IntervalFit> sample) {
  return std::make_unique<CpuIntervalFitter>(std::move(sample));
}

}  // namespace atl
