// Tells how good probabilities of classes are. Of lists it takes counts alone, since all rows that
// a rule decides are told the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace atl {

/// Rows, and what each rule tells those that it decides.
struct ToldRows {
  /// [rules][columns] by class. Columns beyond the classes have rows of classes that nobody knew
  /// when the probabilities were made.
  std::span<const std::uint64_t> rows;
  std::span<const std::vector<double>> probabilities;  ///< [rules][classes]
};

// Each leaves out rows of classes that were unknown, and is NaN where no row is left.

/// Mean of -ln p, p being the probability of the row's class; infinite if one of them is zero.
double log_loss(const ToldRows& told);
/// Mean over the rows of the sum over all classes of (p - 1 or 0)^2, in [0, 2] (Brier 1950).
double brier(const ToldRows& told);
/// Share of pairs of a row of the class and another row in which the former has the greater
/// probability of the class; equal ones count half. Of two classes that of the second; of more the
/// mean over the classes that have some but not all rows. NaN if there is none.
double auc(const ToldRows& told);

/// Rows by the probability of the class that they are said to be of.
struct CalibrationBin {
  double from = 0, to = 1;  ///< `to` is the next bin's, but for 1
  std::uint64_t rows = 0, right = 0;
  double predicted = 0;  ///< sum of the probabilities: so many rows should be right
};
/// Those that begin at 0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95 and 0.99, without rows.
std::vector<CalibrationBin> calibration_bins();
/// @param said  [rules] class. Rows of unknown classes are wrong.
std::vector<CalibrationBin> calibration(const ToldRows& told, std::span<const std::uint32_t> said);

/// All of these.
struct ProbabilityFigures {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t rows = 0;  ///< of known classes
  double log_loss = none, brier = none, auc = none;
  std::vector<CalibrationBin> calibration = {};
};
ProbabilityFigures probability_figures(const ToldRows& told, std::span<const std::uint32_t> said);

/// Figures of all rows of several tests; of AUC, which compares rows within a test, the mean over
/// those that have one.
ProbabilityFigures together(std::span<const ProbabilityFigures> tests);

}  // namespace atl
