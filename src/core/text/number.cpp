#include "src/core/text/number.hpp"

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

std::optional<double> short_middle(double low, double high) noexcept {
  const double middle = std::midpoint(low, high);
  const double near = high / 100 - low / 100;
  const auto fits = [&](double value) {
    return low < value && value < high && std::abs(value - middle) <= near;
  };
  if (fits(0)) return 0.0;
  constexpr int most_decimals = 16;  // tell every number from every other
  std::array<char, 32> digits;
  for (int decimals = 0; decimals <= most_decimals; ++decimals) {
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), middle,
                                   std::chars_format::scientific, decimals)
                         .ptr;
    const auto value = parse_number({digits.data(), static_cast<std::size_t>(end - digits.data())});
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
