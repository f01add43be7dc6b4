// A sample of rows on a device, for growing rules.
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/device/handles.hpp"
#include "cuda/rule_sets/growth_kernel.hpp"
#include "src/sampling/class_sample.hpp"

namespace atl::cuda {

/// The sample that rules are grown on. Immutable, shared by the growers of all threads.
class GrowthSample {
 public:
  /// Brings a sample to the current device. Blocking.
  /// @param room  bytes that it may take
  /// @return null if there is not so much room
  static std::shared_ptr<const GrowthSample> make(const ClassSample& sample, std::uint64_t room);

  const GrowthRows& rows() const noexcept { return rows_; }

 private:
  DeviceBuffer<unsigned long long> sets_;
  DeviceBuffer<GrowthAttribute> attributes_;
  DeviceBuffer<uint2> literals_;
  DeviceBuffer<std::uint16_t> labels_;
  DeviceBuffer<std::uint32_t> windows_;
  DeviceBuffer<std::uint32_t> missing_;
  GrowthRows rows_;
};

}  // namespace atl::cuda
