#include "src/core/text/label_number.hpp"

#include <algorithm>
#include <cmath>

#include "src/core/text/ascii.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

constexpr double most_exact = 9007199254740992.0;  // 2^53

/// Is it written as an integer that is a code?
bool is_code(std::string_view label, double value) noexcept {
  if (label.front() == '-' || label.front() == '+') label.remove_prefix(1);
  // The integer next to 2^53 is read as 2^53, too.
  return are_digits(label) &&
         (std::abs(value) >= most_exact || (label.size() > 1 && label.front() == '0'));
}

}  // namespace

std::optional<double> label_number(std::string_view label) noexcept {
  const std::optional<double> value = parse_number(label);
  if (!value || is_code(label, *value)) return std::nullopt;
  return *value + 0.0;  // makes -0 to 0
}

bool are_label_numbers(std::span<const std::string> labels) noexcept {
  return !labels.empty() && std::all_of(labels.begin(), labels.end(), [](const std::string& label) {
    return label_number(label).has_value();
  });
}

std::optional<std::size_t> find_label(std::span<const std::string> labels,
                                      std::string_view label) noexcept {
  const auto same = std::find(labels.begin(), labels.end(), label);
  if (same != labels.end()) return static_cast<std::size_t>(same - labels.begin());
  const std::optional<double> number = label_number(label);
  if (!number) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (label_number(labels[i]) != number) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

}  // namespace atl
