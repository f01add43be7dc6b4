// A sample of rows on a device, for fits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cuda/device/handles.hpp"
#include "cuda/fit/fit_kernel.hpp"
#include "cuda/host/fit_program.hpp"
#include "src/data/dataset.hpp"

namespace atl::cuda {

/// The sample that fits are made on. Immutable, shared by the fitters of all threads.
class FitSample {
 public:
  /// Brings the drawn rows (rows_to_look_at) to the current device. Blocking.
  /// @param room  bytes that it may take
  /// @return null if there is not so much room
  static std::shared_ptr<const FitSample> make(const Dataset& dataset,
                                               std::span<const std::uint64_t> drawn,
                                               std::uint64_t room);

  const FitRows& rows() const noexcept { return rows_; }
  std::span<const FitColumn> columns() const noexcept { return columns_; }

 private:
  void fill(const Dataset& dataset, std::span<const std::uint64_t> drawn);

  std::vector<FitColumn> columns_;
  DeviceBuffer<std::byte> codes_;
  DeviceBuffer<std::uint32_t> planes_;
  FitRows rows_;
};

}  // namespace atl::cuda
