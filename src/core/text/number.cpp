#include "src/core/text/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <system_error>

#include <fast_float/fast_float.h>

namespace atl {

std::string format_number(double value) {
  if (std::isnan(value)) return {};
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

std::string plain_number(double value) {
  constexpr double exact = 1e15;
  if (value != std::floor(value) || std::abs(value) > exact) return format_number(value);
  return std::to_string(static_cast<std::int64_t>(value));
}

int digits_of(double value) noexcept {
  std::array<char, 32> text;
  char* const end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific)
          .ptr;
  return static_cast<int>(std::count_if(text.data(), std::find(text.data(), end, 'e'),
                                        [](char c) { return c >= '0' && c <= '9'; }));
}

namespace {

std::optional<double> with_digits(double value, int digits) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value,
                                 std::chars_format::scientific, digits - 1)
                       .ptr;
  return parse_number({text.data(), static_cast<std::size_t>(end - text.data())});
}

bool is_whole(double value) {
  return value == std::floor(value);
}

}  // namespace

double short_bound(double own, double neighbour) noexcept {
  const double low = std::min(own, neighbour), high = std::max(own, neighbour);
  const double middle = std::midpoint(low, high);
  const int most = digits_of(own);
  if (most > 1 && low < 0 && high > 0) return 0;
  for (int digits = 1; digits < most; ++digits) {
    // If any number of so many digits is in the range, the one nearest to its middle is.
    const auto rounded = with_digits(middle, digits);
    if (rounded && low <= *rounded && *rounded <= high && *rounded != neighbour) return *rounded;
  }
  return own;
}

std::optional<double> short_middle(double low, double high) noexcept {
  const double middle = std::midpoint(low, high);
  const double near = high / 4 - low / 4;
  const bool whole = is_whole(low) && is_whole(high);
  const auto fits = [&](double value) {
    return low < value && value < high && std::abs(value - middle) <= near &&
           (!whole || is_whole(value));
  };
  if (fits(0)) return 0.0;
  constexpr int most_digits = 17;  // tell every number from every other
  for (int digits = 1; digits <= most_digits; ++digits) {
    const auto value = with_digits(middle, digits);
    if (value && fits(*value)) return value;
  }
  return std::nullopt;
}

std::optional<double> parse_number(std::string_view text) noexcept {
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text.front() == '-') return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace atl
