// Interestingness of a rule, from its contingency table.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/rules/contingency_table.hpp"

namespace atl {

enum class Measure : std::uint8_t {
  support,
  confidence,
  lift,
  leverage,
  conviction,
  certainty_factor,
  coverage,
  contrast,
};

struct MeasureInfo {
  Measure measure;
  std::string_view name;            ///< on the command line and in files
  double lowest, highest;           ///< range
  std::string_view formula;         ///< for people
  std::string_view undefined_when;  ///< and what the value is then
  std::string_view source;
  bool steers;  ///< only + - x / sqrt: may steer the search and order the archive
};

std::span<const MeasureInfo> measures() noexcept;
const MeasureInfo& info(Measure measure) noexcept;
/// @throws UsageError listing the known names
Measure measure_named(std::string_view name);

/// NaN where the value does not exist.
double evaluate(Measure measure, const ContingencyTable& table) noexcept;

/// Greater first, values that do not exist last and equal to each other: less means "a goes first".
std::weak_ordering by_measure(double a, double b) noexcept;

}  // namespace atl
