#include "src/eval/bound_fit.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "src/eval/code_filter.hpp"
#include "src/eval/drawn_row.hpp"

namespace atl {

namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 25;  // of all attributes
constexpr std::size_t block = filter_rows;                    // rows counted at a time
constexpr std::uint32_t most_narrow = 0xFFFF;                 // codes of two bytes

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

  std::optional<BoundFit::Codes> best() const { return best_; }

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
    best_ = BoundFit::Codes{low, high, 0};
  }

  BoundRelation relation_;
  std::uint32_t last_;
  std::int64_t total_;       // of all codes
  std::int64_t before_ = 0;  // of the codes added
  std::int64_t run_ = 0;     // of the interval that ends at the last code
  std::uint32_t run_low_ = 0;
  std::int64_t least_before_ = std::numeric_limits<std::int64_t>::max();
  std::uint32_t least_low_ = 0;  // behind the codes that gain least together
  std::optional<BoundFit::Codes> best_;
  std::int64_t best_gain_ = 0;
};

template <typename Gain>
std::optional<BoundFit::Codes> best_of_all(BoundRelation relation, std::uint32_t distinct,
                                           std::span<const std::int64_t> rows, const Gain& gain) {
  std::int64_t total = 0;
  for (std::uint32_t code = 0; code < distinct; ++code) total += gain(code);
  BestInterval interval(relation, distinct - 1, total);
  for (std::uint32_t code = 0; code < distinct; ++code) {
    if (rows[code] != 0) interval.add(code, gain(code));
  }
  return interval.best();
}

/// The best interval that takes a code, not all codes.
template <typename Gain>
std::optional<BoundFit::Codes> best_through(std::uint32_t through, std::uint32_t distinct,
                                            const Gain& gain) {
  BoundFit::Codes best{through, through, 0};
  std::int64_t sum = gain(through);
  std::int64_t most = sum;
  for (std::uint32_t code = through + 1; code < distinct; ++code) {
    sum += gain(code);
    if (sum <= most) continue;
    most = sum;
    best.high = code;
  }
  sum = most;
  for (std::uint32_t code = through; code-- > 0;) {
    sum += gain(code);
    if (sum <= most) continue;
    most = sum;
    best.low = code;
  }
  if (most <= 0 || (best.low == 0 && best.high + 1 == distinct)) return std::nullopt;
  return best;
}

}  // namespace

BoundFit::BoundFit(const Dataset& dataset, std::uint64_t most_rows, std::uint64_t enough)
    : enough_(enough) {
  const auto attributes = dataset.attributes();
  const std::uint64_t limit = most_cells / std::max<std::uint64_t>(attributes.size(), 1);
  rows_ = static_cast<std::size_t>(
      std::min({dataset.rows(), most_rows, std::max<std::uint64_t>(limit, block)}));
  stride_ = (rows_ + block - 1) / block * block;
  std::vector<std::uint64_t> drawn = spread_order(rows_);
  for (std::uint64_t& row : drawn) row = drawn_row(row, rows_, dataset.rows());
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const std::uint32_t distinct = attributes[a].distinct();
    const bool narrow = distinct <= most_narrow;
    columns_.push_back({distinct, narrow, narrow ? narrow_.size() : wide_.size()});
    const std::vector<std::uint32_t> codes = all_codes(dataset, a);
    for (std::size_t i = 0; i < stride_; ++i) {
      const std::uint32_t code = i < rows_ ? codes[drawn[i]] : missing_code;
      if (narrow) {
        narrow_.push_back(static_cast<std::uint16_t>(code));
      } else {
        wide_.push_back(code);
      }
    }
  }
}

BoundFit::Scratch::Scratch(const BoundFit& fit) {
  constexpr std::size_t many = 64;
  std::size_t codes = 0;
  for (const Column& column : fit.columns_) codes = std::max<std::size_t>(codes, column.distinct);
  rows.reserve(codes);
  wanted.reserve(codes);
  among.reserve(fit.stride_ / 64);
  hits.reserve(fit.stride_ / 64);
  for (auto* comparisons : {&rest, &goal, &asked}) comparisons->reserve(many);
}

void BoundFit::limit(const Comparison& c, std::size_t first, std::uint64_t* rows) const {
  const Column& column = columns_[c.attribute];
  const std::size_t at = column.begin + first;
  if (column.narrow) {
    filter({static_cast<std::uint16_t>(c.low), static_cast<std::uint16_t>(c.high), c.negated},
           narrow_.data() + at, rows);
  } else {
    filter({c.low, c.high, c.negated}, wide_.data() + at, rows);
  }
}

template <typename Code>
void BoundFit::count(const Code* codes, std::uint64_t among, std::uint64_t hits,
                     Scratch& scratch) const {
  for (; among != 0; among &= among - 1) {
    const int row = std::countr_zero(among);
    const Code code = codes[row];
    if (code == std::numeric_limits<Code>::max()) continue;
    ++scratch.rows[code];
    scratch.wanted[code] += static_cast<std::int64_t>(hits >> row & 1);
  }
}

void BoundFit::select_rows(const Task& task, Scratch& scratch) const {
  scratch.asked.clear();
  for (const Comparison& c : task.rest) {
    if (c.attribute != task.attribute) scratch.asked.push_back(c);
  }
  const bool known =
      !scratch.among.empty() && scratch.asked == scratch.rest &&
      std::equal(task.wanted.begin(), task.wanted.end(), scratch.goal.begin(), scratch.goal.end());
  if (known) return;
  scratch.rest = scratch.asked;
  scratch.goal.assign(task.wanted.begin(), task.wanted.end());
  scratch.among.clear();
  scratch.hits.clear();
  std::uint64_t rows = 0;
  std::uint64_t rows_hit = 0;
  for (std::size_t first = 0; first < rows_ && rows < enough_; first += block) {
    const std::size_t word = scratch.among.size();
    for (std::size_t w = 0; w < block_words; ++w) {
      const std::size_t left = rows_ - std::min(rows_, first + w * 64);
      scratch.among.push_back(left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
    }
    for (const Comparison& c : scratch.rest) limit(c, first, scratch.among.data() + word);
    for (std::size_t w = 0; w < block_words; ++w) scratch.hits.push_back(scratch.among[word + w]);
    for (const Comparison& c : task.wanted) limit(c, first, scratch.hits.data() + word);
    for (std::size_t w = word; w < scratch.among.size(); ++w) {
      rows += static_cast<std::uint64_t>(std::popcount(scratch.among[w]));
      rows_hit += static_cast<std::uint64_t>(std::popcount(scratch.hits[w]));
    }
  }
  scratch.rows_among = static_cast<std::int64_t>(rows);
  scratch.rows_hit = static_cast<std::int64_t>(rows_hit);
}

std::optional<BoundFit::Codes> BoundFit::best_codes(const Task& task, Scratch& scratch) const {
  select_rows(task, scratch);
  const Column& own = columns_[task.attribute];
  scratch.rows.assign(own.distinct, 0);
  scratch.wanted.assign(own.distinct, 0);
  for (std::size_t w = 0; w < scratch.among.size(); ++w) {
    if (scratch.among[w] == 0) continue;
    const std::size_t at = own.begin + w * 64;
    if (own.narrow) {
      count(narrow_.data() + at, scratch.among[w], scratch.hits[w], scratch);
    } else {
      count(wide_.data() + at, scratch.among[w], scratch.hits[w], scratch);
    }
  }
  const Share share = task.share.value_or(Share{scratch.rows_hit, scratch.rows_among});
  const auto gain = [&](std::size_t code) {
    return scratch.wanted[code] * share.rows - scratch.rows[code] * share.wanted;
  };
  auto best = task.through && task.relation == BoundRelation::interval
                  ? best_through(*task.through, own.distinct, gain)
                  : best_of_all(task.relation, own.distinct, scratch.rows, gain);
  if (best) {
    double inside = 0;
    double excess = 0;
    for (std::uint32_t code = best->low; code <= best->high; ++code) {
      inside += static_cast<double>(scratch.rows[code]);
      excess += static_cast<double>(scratch.wanted[code]);
    }
    const auto all = static_cast<double>(scratch.rows_among);
    const double p = static_cast<double>(scratch.rows_hit) / all;
    excess -= inside * p;
    const double variance = p * (1 - p) * inside * (1 - inside / all);
    best->chi_squared = variance > 0 ? excess * excess / variance : 0;
  }
  return best;
}

}  // namespace atl
