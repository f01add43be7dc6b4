// A dataset's planes in device memory.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda/count_kernel.hpp"
#include "cuda/handles.hpp"
#include "src/data/dataset.hpp"

namespace atl::cuda {

/// All rows of a dataset.
class ResidentRows {
 public:
  /// Blocking.
  explicit ResidentRows(const Dataset& dataset);

  const DeviceRows& rows() const noexcept { return rows_; }
  /// [attributes] place of the lowest plane; `present` is behind the others.
  const std::vector<std::uint32_t>& first_planes() const noexcept { return first_planes_; }

 private:
  DeviceBuffer<uint4> planes_;
  DeviceRows rows_;
  std::vector<std::uint32_t> first_planes_;
};

}  // namespace atl::cuda
