#pragma once

#include <cmath>
#include <span>
#include <vector>

namespace atl {

/// The mean of a figure over folds, and its standard deviation as of a sample; 0 of one fold.
struct MeanOfFolds {
  double mean = 0, deviation = 0;
};

inline MeanOfFolds mean_of_folds(std::span<const double> values) {
  MeanOfFolds result;
  const auto folds = static_cast<double>(values.size());
  for (const double value : values) result.mean += value / folds;
  for (const double value : values) {
    result.deviation += (value - result.mean) * (value - result.mean);
  }
  result.deviation = folds > 1 ? std::sqrt(result.deviation / (folds - 1)) : 0;
  return result;
}

/// Of what `value` gives for each fold.
template <typename Folds, typename Value>
MeanOfFolds mean_of_folds(const Folds& folds, const Value& value) {
  std::vector<double> values;
  for (const auto& fold : folds) values.push_back(static_cast<double>(value(fold)));
  return mean_of_folds(values);
}

}  // namespace atl
