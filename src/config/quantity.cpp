// Shares, supports, durations and intervals as text.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

template <typename Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer value = 0;
  if (!is_digits(text)) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

/// A number or a percentage. The decimal point of a percentage is moved in the text, so that 0.7%
/// is the same double as 0.007.
std::optional<double> number_or_percentage(std::string_view text) {
  if (text.empty() || text.back() != '%') return parse_number(text);
  const std::string digits(text.substr(0, text.size() - 1));
  if (digits.find_first_of("eE") != std::string::npos) return std::nullopt;
  return parse_number(digits + "e-2");
}

UsageError bad_quantity(std::string_view text, const std::string& expected) {
  return UsageError("'" + printable(std::string(text)) + "' is no " + expected);
}

}  // namespace

double parse_share(std::string_view text) {
  const auto value = number_or_percentage(text);
  if (!value || *value < 0 || *value > 1) {
    throw bad_quantity(text, "share from 0 to 1, such as 0.9 or 90%");
  }
  return *value;
}

SupportThreshold SupportThreshold::parse(std::string_view text) {
  constexpr std::string_view unit = "rows";
  SupportThreshold threshold;
  if (text.ends_with(unit)) {
    threshold.rows = whole_number<std::uint64_t>(text.substr(0, text.size() - unit.size()));
    if (!threshold.rows || *threshold.rows == 0) {
      throw bad_quantity(text, "number of rows, such as 500rows");
    }
    return threshold;
  }
  if (is_digits(text) && text != "0" && text != "1") {
    throw UsageError("'" + printable(std::string(text)) + "' could mean a share or rows: write " +
                     printable(std::string(text)) + "% or " + printable(std::string(text)) +
                     "rows");
  }
  const auto share = number_or_percentage(text);
  if (!share || *share < 0 || *share > 1) {
    throw bad_quantity(text, "support, such as 0.01, 1% or 500rows");
  }
  threshold.share = *share;
  return threshold;
}

std::string SupportThreshold::to_string() const {
  return rows ? std::to_string(*rows) + "rows" : format_number(share);
}

std::uint64_t SupportThreshold::minimum_count(std::uint64_t n) const {
  if (rows) return *rows;
  const auto total = static_cast<double>(n);
  const auto enough = [&](std::uint64_t count) {
    return static_cast<double>(count) / total >= share;
  };
  auto count = static_cast<std::uint64_t>(std::floor(share * total));
  while (count < n && !enough(count)) ++count;
  while (count > 1 && enough(count - 1)) --count;
  return std::max<std::uint64_t>(count, 1);
}

double parse_duration(std::string_view text) {
  const auto bad = [&] {
    return bad_quantity(text, "duration of at most 10000d, such as 90s, 15m or 1h30m");
  };
  constexpr double longest = 10000 * 86400.0;
  double seconds = 0;
  if (is_digits(text)) {
    const auto value = parse_number(text);
    if (!value || *value > longest) throw bad();
    return *value;
  }
  std::string_view left = text;
  if (left.empty()) throw bad();
  while (!left.empty()) {
    const std::size_t digits = left.find_first_not_of("0123456789.");
    if (digits == std::string_view::npos) throw bad();
    const auto value = parse_number(left.substr(0, digits));
    const std::size_t unit = std::string_view("smhd").find(left[digits]);
    if (!value || unit == std::string_view::npos) throw bad();
    constexpr double unit_seconds[] = {1, 60, 3600, 86400};
    seconds += *value * unit_seconds[unit];
    left.remove_prefix(digits + 1);
  }
  if (seconds > longest) throw bad();
  return seconds;
}

CheckpointInterval CheckpointInterval::parse(std::string_view text) {
  CheckpointInterval interval;
  if (is_digits(text)) {
    const auto generations = whole_number<std::uint32_t>(text);
    if (!generations || *generations == 0) {
      throw bad_quantity(text, "number of generations from 1 on");
    }
    interval.generations = *generations;
  } else {
    interval.seconds = parse_duration(text);
  }
  return interval;
}

std::string CheckpointInterval::to_string() const {
  if (generations != 0) return std::to_string(generations);
  // The number is written without an exponent, which no duration has.
  std::array<char, 400> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), seconds, std::chars_format::fixed);
  return std::string(text.data(), end.ptr) + "s";
}

}  // namespace atl
