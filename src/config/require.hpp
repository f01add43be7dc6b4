// Checks of numbers that an experiment has.
#pragma once

#include <string>

#include "src/core/error.hpp"
#include "src/core/text/number.hpp"

namespace atl {

inline std::string plain(double value) {
  return plain_number(value);
}

template <typename Number>
std::string plain(Number value) {
  return std::to_string(value);
}

/// @throws UsageError naming the option and the range
template <typename Number>
void require(const char* option, Number value, Number lowest, Number highest) {
  if (value >= lowest && value <= highest) return;
  throw UsageError(std::string(option) + " is " + plain(value) + ", expected " + plain(lowest) +
                   " to " + plain(highest));
}

}  // namespace atl
