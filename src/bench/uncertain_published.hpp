// What Kozawa 2016 gives as numbers in chapter 3: of an NVIDIA Tesla K20X beside six cores of a
// Xeon E5-1650 v2 (12 threads).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/bench/table.hpp"

namespace atl {

/// A line of Table 3.3: seconds. What was not told apart is 0.
struct PublishedTimes {
  const char* dataset;
  const char* backend;  ///< cpu or cuda
  double inclusion, pruning, filtering, distributions, others, total;
};
const std::vector<PublishedTimes>& published_times();

/// How many times as fast something is by the thesis' text: from the least to the greatest.
struct PublishedFactor {
  const char* figure;
  const char* dataset;
  const char* what;  ///< a key of our records
  double least, most;
};
const std::vector<PublishedFactor>& published_factors();

/// "18-32.9" or "4.4"; empty if the thesis says nothing.
std::string published_factor(std::string_view figure, std::string_view dataset,
                             std::string_view what);

/// Up to this rank its cores were the faster (Figure 3.12).
inline constexpr unsigned published_crossing = 13;
/// What CUDA's start took, about (section 3.4.5).
inline constexpr double published_start_seconds = 0.1;

/// The source's name, and what the thesis says of a figure, a data set and each of the keys.
Record published_record(std::string_view figure, std::string_view dataset,
                        const std::vector<std::string>& keys);

}  // namespace atl
