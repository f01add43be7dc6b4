#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace atl {

/// The mean of a figure over the folds that have it, and its standard deviation as of a sample: 0
/// of one fold. The mean is NaN if no fold has it.
struct MeanOfFolds {
  double mean = 0, deviation = 0;
};

/// @param value  gives a fold's figure; NaN: it has none
template <typename Folds, typename Value>
MeanOfFolds mean_of_folds(const Folds& folds, const Value& value) {
  std::vector<double> values;
  for (const auto& fold : folds) {
    if (const auto its = static_cast<double>(value(fold)); !std::isnan(its)) values.push_back(its);
  }
  MeanOfFolds result;
  const auto number = static_cast<double>(values.size());
  if (values.empty()) result.mean = std::numeric_limits<double>::quiet_NaN();
  for (const double its : values) result.mean += its / number;
  for (const double its : values) {
    result.deviation += (its - result.mean) * (its - result.mean);
  }
  result.deviation = number > 1 ? std::sqrt(result.deviation / (number - 1)) : 0;
  return result;
}

}  // namespace atl
