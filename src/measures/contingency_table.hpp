// C++17, for the device's compiler as well.
#pragma once

#include <cstdint>

namespace atl {

/// A numeric attribute on the rows of a rule, in its own unit, where that is what the rule is
/// about. Zeros where there are no rows to say it of.
struct TargetMoments {
  /// The side of the mean on which the rule is to lie; none: it is not about a mean.
  enum class Side : std::uint8_t { none, high, low };
  Side side = Side::none;
  double mean = 0;           ///< of the rows of both, n_both
  double mean_rest = 0;      ///< of the other rows that have a value, n_consequent - n_both
  double mean_all = 0;       ///< of all of them, n_consequent
  double deviation_all = 0;  ///< their population standard deviation
  double deviation = -1;     ///< that of the rows of both; -1 where it was not asked for
  friend bool operator==(const TargetMoments& a, const TargetMoments& b) {
    return a.side == b.side && a.mean == b.mean && a.mean_rest == b.mean_rest &&
           a.mean_all == b.mean_all && a.deviation_all == b.deviation_all &&
           a.deviation == b.deviation;
  }
};

/// Counts of rows that everything said about a rule is computed from (Table 2, Cano et al. 2013).
struct ContingencyTable {
  std::uint64_t n = 0;  ///< rows, less those left out for a missing consequent
  std::uint64_t n_antecedent = 0;
  std::uint64_t n_consequent = 0;
  std::uint64_t n_both = 0;
  /// Antecedent and both of the most confident of the rule's generalisations (generalisation.hpp);
  /// zeros where they were not counted.
  std::uint64_t n_general_antecedent = 0;
  std::uint64_t n_general_both = 0;
  TargetMoments target = {};
  friend bool operator==(const ContingencyTable& a, const ContingencyTable& b) {
    return a.n == b.n && a.n_antecedent == b.n_antecedent && a.n_consequent == b.n_consequent &&
           a.n_both == b.n_both && a.n_general_antecedent == b.n_general_antecedent &&
           a.n_general_both == b.n_general_both && a.target == b.target;
  }
};

}  // namespace atl
