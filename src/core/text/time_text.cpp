#include "src/core/text/time_text.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "src/core/text/number.hpp"

namespace atl {

std::string time_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole / 3600 % 24);
}

std::optional<double> parse_utc(const std::string& text) {
  std::tm broken_down{};
  const char* const rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &broken_down);
  if (rest == nullptr || !text.ends_with('Z')) return std::nullopt;
  const std::string fraction(rest, text.c_str() + text.size() - 1);
  const auto part = fraction.empty() ? 0 : parse_number("0" + fraction);
  if (!part) return std::nullopt;
  return static_cast<double>(::timegm(&broken_down)) + *part;
}

std::string utc_text(std::time_t time) {
  std::tm broken_down{};
  ::gmtime_r(&time, &broken_down);
  std::array<char, 32> text;
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &broken_down)};
}

}  // namespace atl
