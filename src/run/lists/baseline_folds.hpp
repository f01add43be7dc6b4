// Baselines of a fold of cross-validation: learnt from the other folds as the list is, tested on
// the same rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/bytes.hpp"
#include "src/data/dataset.hpp"
#include "src/measures/confusion_matrix.hpp"
#include "src/measures/probability_figures.hpp"

namespace atl {

/// A baseline on a fold. Its rules and the default, or its leaves, are regions.
struct BaselineFold {
  std::size_t size = 0, comparisons = 0;
  std::vector<std::uint32_t> labels;  ///< [regions] class that is said there
  std::vector<std::uint64_t> learnt;  ///< [regions][classes] rows that it was learnt from
  std::vector<std::uint64_t> tested;  ///< [regions][classes] rows that it has not seen

  ConfusionMatrix matrix(std::size_t classes) const;
  /// Figures of the probabilities that class_probabilities() makes of the rows that it was learnt
  /// from, without calibration.
  ProbabilityFigures told(std::size_t classes) const;
  friend bool operator==(const BaselineFold&, const BaselineFold&) = default;
};

/// The rows of a cross-validation.
struct FoldRows {
  const Dataset& exact;  ///< not binned
  std::uint32_t class_attribute = 0;
  std::span<const std::uint32_t> classes;  ///< [rows] missing_code: counts for nothing
  std::span<const std::uint8_t> folds;     ///< [rows]
};

/// Learns each baseline, with as many rules or leaves as a list may have rules at most.
/// @param training  the rows that are in other folds, as a list is learnt from them
/// @return [baselines()]
std::vector<BaselineFold> learn_baselines(const Experiment& experiment, const Dataset& training,
                                          const FoldRows& rows, std::uint32_t fold);

void put(ByteWriter& out, std::span<const BaselineFold> baselines);
/// @return [baselines()]  @throws BadBytes
std::vector<BaselineFold> get_baselines(ByteReader& in, std::size_t classes);

}  // namespace atl
