// Figures of Cano, Zafra and Ventura 2014, "Parallel evaluation of Pittsburgh rule-based
// classifiers on GPUs": two Intel Xeon E5645, of which one core, four and twelve, and one and two
// NVIDIA GTX 480.
#pragma once

#include <cstdint>
#include <span>

namespace atl {

struct PittsburghFigures {
  double cpu, cpus4, cpus12, gpu, gpus2;
};

struct PittsburghSize {
  std::uint32_t population;
  double operations;                           ///< symbols times rows of all rules
  PittsburghFigures interpreter_milliseconds;  ///< Table 3
  PittsburghFigures evaluation_seconds;        ///< Table 4
};

/// A data set of Table 2.
struct PittsburghData {
  const char* name;
  const char* file;  ///< its usual name; empty if it is generated or not to be had
  std::uint64_t rows;
  std::uint32_t attributes;  ///< without the class
  std::uint32_t classes;
  PittsburghSize sizes[4];
};
std::span<const PittsburghData> pittsburgh_data() noexcept;

/// Table 5: the best rate of a device, and its greatest power by its data sheet.
struct PittsburghPower {
  const char* device;
  double watts;
  double operations_per_second;
};
std::span<const PittsburghPower> pittsburgh_power() noexcept;

}  // namespace atl
