#pragma once

#include <functional>
#include <utility>
#include <vector>

namespace atl {

struct Timing {
  double median = 0;  ///< seconds
  double best = 0;
  unsigned runs = 0;
};

/// Runs once to warm up, then at least 5 times and until `seconds` have passed, at most 1000 times.
Timing time_repeatedly(const std::function<void()>& run, double seconds);

/// @pre not empty
double median(std::vector<double> values);

/// The median of one member of each. @pre not empty
template <typename Run>
double median_of(const std::vector<Run>& runs, double Run::*member) {
  std::vector<double> values;
  for (const Run& run : runs) values.push_back(run.*member);
  return median(std::move(values));
}

}  // namespace atl
