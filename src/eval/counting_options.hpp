#pragma once

#include <optional>
#include <span>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/rules/expression.hpp"

namespace atl {

/// The numeric attribute that rules are about.
struct MeanTarget {
  std::uint32_t attribute = 0;
  bool low = false;         ///< TargetMoments::Side::low
  bool deviations = false;  ///< of the rows of each rule, too; costs a step for every one of them
};

/// Options for what is counted of rules, and how.
struct CountingOptions {
  bool comparison_supports = false;
  bool coverage_hashes = false;  ///< of all rows, also of those left out of the table
  /// Leaves rows with a missing consequent out of all counts of the table.
  bool exclude_missing_consequent = false;
  /// Evaluates each distinct comparison of a group of rules (Batch) once. Off only to measure the
  /// raw rate.
  bool share_comparisons = true;
  /// Fills the tables' moments. @pre consequents hold where the attribute has a value
  std::optional<MeanTarget> mean = {};
  /// Takes the time of a device's kernels (RuleCounter::kernel_seconds), some microseconds a batch
  /// more.
  bool time_kernels = false;
};

/// The options that a counter needs to count the experiment's rules: rows with a missing
/// consequent, and, if that is a mean and the attributes have it, what they are about.
CountingOptions counting_options(const Experiment& experiment,
                                 std::span<const Attribute> attributes);

/// The values on the wanted side of the mean; empty if rules are about no mean.
/// @param attributes  with counts
Expression beyond_mean(std::span<const Attribute> attributes,
                       const std::optional<MeanTarget>& target);

}  // namespace atl
