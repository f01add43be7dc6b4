#pragma once

#include <cstdint>
#include <span>

#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// What a rule must meet to be called a result. Always required: each side holds on some row and
/// not on all of them. Of a rule about a mean: the antecedent holds on some of the rows with a
/// value and not on all of them, min_support, and, for positive_lift, its mean lies on the side it
/// is to; a consequent that holds wherever there is a value is no fault.
struct Constraints {
  SupportThreshold min_support;
  double min_confidence = 0;
  double max_consequent = 1;   ///< greatest p(consequent)
  bool positive_lift = false;  ///< lift > 1
  bool by_class = false;       ///< consequents are classes: a rare one needs less support

  /// Rows of both sides that a rule needs at least: min_support of all rows or, by class, a tenth
  /// of the consequent's and 3 rows, if that is less.
  std::uint64_t least_support(const ContingencyTable& table) const;

  /// Sum of the shortfalls, each in (0, 1] and relative to its threshold; 0 if all are met.
  double violation(const ContingencyTable& table) const;
  bool met(const ContingencyTable& table) const { return violation(table) == 0; }

 private:
  double support_shortfall(const ContingencyTable& table) const;
};

/// Of the experiment's preset and aim.
/// @param attributes  of the data; those of the target tell whether it is classes that rules
///                    conclude
Constraints constraints_of(const Experiment& experiment, std::span<const Attribute> attributes);

}  // namespace atl
