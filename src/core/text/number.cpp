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

double short_bound(double own, double neighbour, bool own_first) noexcept {
  const double low = std::min(own, neighbour), high = std::max(own, neighbour);
  const double middle = std::midpoint(low, high);
  const bool whole = is_whole(own) && is_whole(neighbour);
  const int most = digits_of(own);
  for (int digits = 1; digits <= most; ++digits) {
    if (own_first && digits == most) break;
    // A range has its middle's neighbours, if any number of so many digits; but 0 has fewest.
    const auto rounded = low < 0 && high > 0 ? 0.0 : with_digits(middle, digits);
    if (rounded && low <= *rounded && *rounded <= high && *rounded != neighbour &&
        (!whole || is_whole(*rounded)))
      return *rounded;
  }
  return own;
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
