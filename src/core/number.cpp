#include "src/core/number.hpp"

#include <array>
#include <charconv>
#include <cmath>

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
