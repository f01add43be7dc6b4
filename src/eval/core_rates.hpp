#pragma once

#include <cstdint>
#include <string>

namespace atl {

/// The most that one core does with words of 64 rows, with the instruction set that the CPU device
/// takes, measured on operands in registers or in the first-level cache.
struct CoreRates {
  std::string instruction_set;  ///< Highway's name
  /// Words a second of the step that compares more planes with those bits of a code: one
  /// three-input operation for a plane, or two operations for several planes where the instruction
  /// set has none such.
  double logic = 0;
  std::uint32_t planes_per_step = 1;
  double loads = 0;      ///< words a second from the first-level cache
  double popcounts = 0;  ///< words a second whose bits are counted
};

/// Takes the best of many short runs on the calling thread, some 20 ms in all.
CoreRates measure_core_rates();

}  // namespace atl
