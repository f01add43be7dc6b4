// Interestingness of a rule, from its contingency table.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/measures/contingency_table.hpp"
#include "src/measures/measure.hpp"

namespace atl {

class MeasureFormulas;

struct MeasureInfo {
  Measure measure;
  std::string_view name;            ///< on the command line and in files
  double lowest, highest;           ///< range
  std::string_view formula;         ///< for people
  std::string_view undefined_when;  ///< and what the value is then
  std::string_view source;
  /// The formula has only + - x / sqrt, and greater is better: the measure may steer the search and
  /// order the archive.
  bool steers;
  double (MeasureFormulas::*value)() const noexcept;
  /// Says whether rules about the mean of a numeric attribute have it, and whether others do.
  enum class Of : std::uint8_t { counts, means, either };
  Of of = Of::counts;
  bool less_is_better = false;

  bool applies(bool to_means) const noexcept {
    return of == Of::either || (of == Of::means) == to_means;
  }
};

std::span<const MeasureInfo> measures() noexcept;
/// The measures that results have unless told otherwise.
/// @param of_means  of rules about the mean of a numeric attribute
std::span<const Measure> default_measures(bool of_means = false) noexcept;
const MeasureInfo& info(Measure measure) noexcept;
/// @throws UsageError listing the known names
Measure measure_named(std::string_view name);
/// The measures of these names.
/// @throws UsageError for one that is unknown, occurs twice or says nothing of such rules
std::vector<Measure> measures_named(std::span<const std::string> names, bool of_means = false);
/// @throws UsageError if the measure says nothing of such rules
void expect_applies(const MeasureInfo& measure, bool to_means);

/// NaN where the value does not exist.
double evaluate(Measure measure, const ContingencyTable& table) noexcept;

/// Greater first, values that do not exist last and equal to each other: less means "a goes first".
std::weak_ordering by_measure(double a, double b) noexcept;

}  // namespace atl
