// Probabilities that transactions exist, for probabilistic itemsets (Kozawa 2016, "A study on
// GPU-accelerated data analysis techniques", chapter 3).
#pragma once

#include <cstdint>
#include <string>

#include "src/core/random.hpp"

namespace atl {

/// The distribution of probabilities.
struct ProbabilityModel {
  enum class Kind { uniform, normal } kind = Kind::uniform;
  double mean = 0.5;      ///< of the normal distribution, in (0, 1]
  double variance = 0.1;  ///< likewise, 0 to 1
};

/// @param text  uniform or normal:MEAN,VARIANCE
/// @throws UsageError
ProbabilityModel parse_probability_model(const std::string& text);

/// Draws the probability of a transaction, in (0, 1]: what lies outside is drawn again.
double draw_probability(const ProbabilityModel& model, std::uint64_t seed,
                        std::uint64_t transaction) noexcept;

}  // namespace atl
