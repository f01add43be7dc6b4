#include "src/exhaustive/uncertain/tails.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/core/portable_math.hpp"
#include "src/core/window_reach.hpp"
#include "src/exhaustive/uncertain/convolution.hpp"

namespace atl {
namespace {

constexpr std::size_t leaf_rows = SmallParts::parts * SmallParts::rows;
/// Values of the shorter of two distributions from which on transforms are faster.
constexpr std::size_t transform_size = 384;
constexpr double careful_exponent = 64.5;  // 1e-28 is lost

/// The tilt of a distribution: each probability's odds times `odds`.
struct Tilt {
  double odds = 1;
  double log_scale = 0;  // ln of what tails of the tilted distribution are multiplied by
};

double tilted(double p, double odds) noexcept {
  return p * odds / (1 - p + p * odds);
}

/// Finds the odds with which half a transaction less than `least` exists in the mean, by halving.
/// With all of them none has finite odds.
Tilt tilt_to(std::span<const double> probabilities, std::uint32_t least) {
  double low = 0, high = 700;  // ln of the odds
  constexpr int steps = 40;
  for (int step = 0; step < steps; ++step) {
    const double middle = (low + high) / 2;
    const double odds = portable_exp(middle);
    double mean = 0;
    for (const double p : probabilities) mean += tilted(p, odds);
    (mean < least - 0.5 ? low : high) = middle;
  }
  Tilt tilt;
  tilt.odds = portable_exp(low);
  for (const double p : probabilities) tilt.log_scale += portable_log(1 - p + p * tilt.odds);
  tilt.log_scale -= portable_log(tilt.odds) * least;
  return tilt;
}

}  // namespace

CountWindow likely_counts(std::uint32_t rows, double mean, double variance,
                          double exponent) noexcept {
  const double off = window_reach(variance, exponent);
  const double first = std::max(0.0, std::floor(mean - off));
  const double last = std::min<double>(rows, std::ceil(mean + off));
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

double* TailFinder::Part::values() noexcept {
  return memory.data() + convolution_room;
}

/// Zeros before and behind are set; values are not.
void TailFinder::Part::set_size(std::size_t values_now) {
  size = values_now;
  memory.resize(size + 2 * convolution_room);
  std::fill_n(memory.begin(), convolution_room, 0.0);
  std::fill(memory.end() - convolution_room, memory.end(), 0.0);
}

TailFinder::Part& TailFinder::push() {
  if (depth_ == parts_.size()) parts_.emplace_back();
  return parts_[depth_++];
}

void TailFinder::make_leaf(std::span<const double> probabilities) {
  Part& leaf = push();
  leaf.rows = static_cast<std::uint32_t>(probabilities.size());
  leaf.level = 0;
  leaf.mean = leaf.variance = 0;
  leaf.first = 0;
  std::array<double, leaf_rows> padded{};
  for (std::size_t t = 0; t < probabilities.size(); ++t) {
    const double p = padded[t] = probabilities[t];
    leaf.mean += p;
    leaf.variance += p * (1 - p);
  }
  leaf.set_size(leaf_rows + 1);
  distribute(padded.data(), small_parts_, leaf.values());
  leaf.set_size(probabilities.size() + 1);
}

/// Joins the last two parts.
void TailFinder::join(const Way& way) {
  Part& b = parts_[depth_ - 1];
  Part& a = parts_[depth_ - 2];
  joined_.rows = a.rows + b.rows;
  joined_.level = std::max(a.level, b.level) + 1;
  joined_.mean = a.mean + b.mean;
  joined_.variance = a.variance + b.variance;
  const auto [first, last] =
      likely_counts(joined_.rows, joined_.mean, joined_.variance, way.exponent);
  const std::uint32_t lowest = a.first + b.first;
  const std::size_t highest = lowest + a.size + b.size - 2;
  joined_.first = std::max(first, lowest);
  joined_.set_size(std::min<std::size_t>(last, highest) + 1 - joined_.first);
  const std::size_t skipped = joined_.first - lowest;
  if (way.transforms && std::min(a.size, b.size) >= transform_size) {
    fourier_.convolve(a.values(), a.size, b.values(), b.size, skipped, joined_.size,
                      joined_.values());
  } else {
    convolve(a.values(), a.size, b.values(), b.size, skipped, joined_.size, joined_.values());
    std::fill_n(joined_.values() + joined_.size, convolution_room, 0.0);
  }
  std::swap(a, joined_);
  --depth_;
}

/// The sum of the last two parts' joint probabilities of `least` transactions and more, each times
/// decay^(count - least). The last one may stand alone.
double TailFinder::join_tails(std::uint32_t least, double decay) {
  Part& b = parts_[depth_ - 1];
  // [j] of b's values from j on, times decay^(number of values in between)
  tails_.assign(b.size + 1, 0);
  for (std::size_t j = b.size; j-- > 0;) tails_[j] = b.values()[j] + decay * tails_[j + 1];
  const double log_decay = portable_log(decay);
  const auto tail = [&](std::int64_t count) {  // of b at this count or above
    const std::int64_t j = count - b.first;
    if (j >= static_cast<std::int64_t>(b.size)) return 0.0;
    if (j >= 0 || decay == 1) return tails_[static_cast<std::size_t>(std::max<std::int64_t>(j, 0))];
    return tails_[0] * portable_exp(log_decay * static_cast<double>(-j));
  };
  if (depth_ == 1) return tail(least);
  Part& a = parts_[depth_ - 2];
  double sum = 0;
  for (std::size_t i = a.size; i-- > 0;) {
    const auto count = static_cast<std::int64_t>(a.first + i);
    sum += a.values()[i] * tail(std::int64_t{least} - count);
  }
  return sum;
}

double TailFinder::find(std::span<const double> probabilities, std::uint32_t least, double decay,
                        const Way& way) {
  depth_ = 0;
  for (std::size_t at = 0; at < probabilities.size(); at += leaf_rows) {
    make_leaf(probabilities.subspan(at, std::min(leaf_rows, probabilities.size() - at)));
    const bool ends = at + leaf_rows >= probabilities.size();
    while (!ends && depth_ > 1 && parts_[depth_ - 2].level == parts_[depth_ - 1].level) join(way);
  }
  while (depth_ > 2) join(way);
  return std::min(1.0, join_tails(least, decay));
}

double TailFinder::find(std::span<const double> probabilities, std::uint32_t least) {
  return find(probabilities, least, 1, {tail_exponent(probabilities.size()), true});
}

double TailFinder::find_carefully(std::span<const double> probabilities, std::uint32_t least) {
  constexpr double small = 1e-3;
  const double tail = find(probabilities, least, 1, {careful_exponent, false});
  if (tail > small) return tail;
  const Tilt tilt = tilt_to(probabilities, least);
  tilted_.clear();
  for (const double p : probabilities) tilted_.push_back(tilted(p, tilt.odds));
  const double sum = find(tilted_, least, 1 / tilt.odds, {careful_exponent, false});
  return sum * portable_exp(tilt.log_scale);
}

}  // namespace atl
