#pragma once

namespace atl::cuda {

/// The fitness kernel's figures of a rule, by the formulas of Listing 3, in double. With X the
/// share of rows of the antecedent, Y that of the consequent, S that of both:
struct PublishedFitness {
  double support;     ///< S
  double confidence;  ///< rows of both over rows of the antecedent
  double lift;        ///< S / (X Y)
  double leverage;    ///< S - X Y
  double conviction;  ///< (X - X Y) / (X - S)
};

}  // namespace atl::cuda
