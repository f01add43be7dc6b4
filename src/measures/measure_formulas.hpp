// The formulas behind measures.hpp, whose registry says what each is.
#pragma once

#include "src/measures/arithmetic_measures.hpp"

namespace atl {

/// All measures: the arithmetic ones, and those with logarithms or factorials, for reports.
class MeasureFormulas : public ArithmeticMeasures {
 public:
  using ArithmeticMeasures::ArithmeticMeasures;

  double fishers_exact_test() const noexcept;
  double j_measure() const noexcept;
  double mutual_information() const noexcept;
  double importance() const noexcept;
};

}  // namespace atl
