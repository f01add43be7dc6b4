#pragma once

namespace atl::cuda {

/// The most that the current device does, measured on it; words are of 32 rows.
struct DeviceRates {
  double clock = 0;      ///< cycles a second, while it computes
  double logic = 0;      ///< three-input operations a second, each on a word
  double popcounts = 0;  ///< words a second whose bits are counted
  double shared = 0;     ///< bytes a second read from and written to shared memory, both together
  double l2 = 0;         ///< bytes a second read from the second-level cache
  double memory = 0;     ///< bytes a second read from device memory
  double l2_bytes = 0;   ///< of the second-level cache
};

/// The best of some runs, by the device's events; blocking, a third of a second in all.
/// @throws BackendUnavailable
DeviceRates measure_device_rates();

}  // namespace atl::cuda
