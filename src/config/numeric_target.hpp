// A statistic of a numeric attribute as what rules conclude: "mean(price)", "low mean(price)",
// "quantile(price, 0.9)".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace atl {

struct NumericTarget {
  enum class Statistic : std::uint8_t { mean, quantile };
  Statistic statistic = Statistic::mean;
  bool low = false;  ///< rules are to find where it is low instead of high
  std::string attribute;
  double share = 0;  ///< quantile: of the rows that lie at or below it, in (0, 1)
  friend bool operator==(const NumericTarget&, const NumericTarget&) = default;
};

/// Reads a statistic; nothing if the text is no statistic but a target of another form. The name
/// stands as it is, or in double quotes.
/// @throws UsageError if it begins as a statistic and goes on otherwise
std::optional<NumericTarget> parse_numeric_target(std::string_view text);

}  // namespace atl
