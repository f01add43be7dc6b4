#include "src/eval/target_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

namespace atl {
namespace {

constexpr double exact = 0x1p53;

/// The values times the divisor, if they are whole numbers then, exactly.
std::optional<std::vector<std::int64_t>> whole_multiples(std::span<const double> values,
                                                         double divisor) {
  std::vector<std::int64_t> multiples;
  multiples.reserve(values.size());
  for (const double value : values) {
    const double multiple = std::nearbyint(value * divisor);
    if (std::abs(multiple) >= exact || multiple / divisor != value) return std::nullopt;
    multiples.push_back(static_cast<std::int64_t>(multiple));
  }
  return multiples;
}

/// Multiples with as many decimal places as the values need.
std::optional<std::vector<std::int64_t>> decimal_multiples(std::span<const double> values,
                                                           double& divisor) {
  constexpr double most = 1e9;
  for (divisor = 1; divisor <= most; divisor *= 10) {
    if (auto multiples = whole_multiples(values, divisor)) return multiples;
  }
  divisor = 1;
  return std::nullopt;
}

double mean_of(const TargetScale& scale, std::uint64_t sum, std::uint64_t rows) noexcept {
  if (rows == 0) return 0;
  const double level = static_cast<double>(sum) / static_cast<double>(rows);
  // Works in halves: a range may be more than the greatest double.
  return (scale.origin / 2 + scale.step / 2 * level) / scale.divisor * 2;
}

double deviation_of(const TargetScale& scale, const LevelSums& sums) noexcept {
  if (sums.rows == 0) return 0;
  using Wide = LevelSums::Wide;
  const Wide excess = sums.rows * sums.squares - Wide{sums.sum} * sums.sum;
  const double levels = std::sqrt(static_cast<double>(excess)) / static_cast<double>(sums.rows);
  return scale.step * levels / scale.divisor;
}

}  // namespace

TargetScale::TargetScale(const Attribute& attribute, std::uint64_t rows) {
  // rows^2 squares of levels stay below 2^128.
  const int bits = std::min(32, 63 - static_cast<int>(std::bit_width(rows)));
  const double range = std::ldexp(1.0, bits);
  const std::vector<double>& values = attribute.low;
  if (values.empty()) return;  // no row has a value, so none is looked up
  levels.reserve(values.size());
  const auto finish = [&] {
    planes = std::max(1U, static_cast<std::uint32_t>(std::bit_width(levels.back())));
  };
  if (const auto multiples = decimal_multiples(values, divisor)) {
    std::uint64_t common = 0;
    for (const std::int64_t multiple : *multiples)
      common = std::gcd(common, static_cast<std::uint64_t>(multiple - multiples->front()));
    common = std::max<std::uint64_t>(common, 1);
    const auto spread = static_cast<std::uint64_t>(multiples->back() - multiples->front());
    if (static_cast<double>(spread / common) < range) {
      for (const std::int64_t multiple : *multiples)
        levels.push_back(static_cast<std::uint32_t>(
            static_cast<std::uint64_t>(multiple - multiples->front()) / common));
      origin = static_cast<double>(multiples->front());
      step = static_cast<double>(common);
      finish();
      return;
    }
  }
  divisor = 1;
  // Halves and differences of halves are finite, and powers of two change no digit.
  const double half_spread = values.back() / 2 - values.front() / 2;
  int exponent = 0;
  std::frexp(half_spread, &exponent);  // half_spread < 2^exponent
  exponent = std::max(exponent + 2 - bits, -1000);
  step = std::ldexp(1.0, exponent);
  origin = values.front();
  for (const double value : values) {
    const double halves = value / 2 - origin / 2;
    levels.push_back(static_cast<std::uint32_t>(std::nearbyint(std::ldexp(halves, 1 - exponent))));
  }
  finish();
}

TargetTotals::TargetTotals(const Dataset& dataset, std::uint32_t attribute)
    : scale(dataset.attributes()[attribute], dataset.whole_rows()) {
  const std::vector<std::uint64_t>& rows = dataset.attributes()[attribute].counts;
  for (std::size_t code = 0; code < rows.size(); ++code) {
    const LevelSums::Wide sum = LevelSums::Wide{rows[code]} * scale.levels[code];
    all.rows += rows[code];
    all.sum += static_cast<std::uint64_t>(sum);
    all.squares += sum * scale.levels[code];
  }
}

TargetMoments target_moments(const TargetTotals& totals, const MeanTarget& target,
                             const LevelSums& both) noexcept {
  const auto& [scale, all] = totals;
  TargetMoments moments;
  moments.side = target.low ? TargetMoments::Side::low : TargetMoments::Side::high;
  moments.mean = mean_of(scale, both.sum, both.rows);
  moments.mean_rest = mean_of(scale, all.sum - both.sum, all.rows - both.rows);
  moments.mean_all = mean_of(scale, all.sum, all.rows);
  moments.deviation_all = deviation_of(scale, all);
  if (target.deviations) moments.deviation = deviation_of(scale, both);
  return moments;
}

TargetPlanes::TargetPlanes(const Dataset& dataset, std::uint32_t attribute, std::size_t slice_words)
    : scale_(dataset.attributes()[attribute], dataset.whole_rows()),
      slice_words_(slice_words),
      levels_((dataset.rows() + slice_words * 64 - 1) / (slice_words * 64) * slice_words * 64),
      planes_(levels_.size() / 64 * scale_.planes) {
  std::vector<std::uint32_t> codes;
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    codes.resize(dataset.partition_rows(p));
    dataset.codes(p, attribute, codes);
    const std::uint64_t first = dataset.partition_first_row(p);
    for (std::uint64_t r = 0; r < codes.size(); ++r) {
      if (codes[r] == missing_code) continue;
      const std::uint32_t level = scale_.levels[codes[r]];
      levels_[first + r] = level;
      const std::uint64_t slice = (first + r) / (slice_words * 64);
      const std::uint64_t word = (first + r) / 64 % slice_words;
      for (std::uint32_t bits = level; bits != 0; bits &= bits - 1) {
        const auto plane = static_cast<std::size_t>(std::countr_zero(bits));
        planes_.data()[(slice * scale_.planes + plane) * slice_words + word] |= std::uint64_t{1}
                                                                                << (first + r) % 64;
      }
    }
  }
}

}  // namespace atl
