// A dataset's planes for the device.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "cuda/device/device_layout.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/host/device_program.hpp"
#include "cuda/host/residency.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/target_values.hpp"

namespace atl::cuda {

/// Rows of a table, which stay on the device as long as the residency has room for it. A table that
/// does not fit alone passes through two buffers, one filled while the other is evaluated, again
/// for each batch.
class DeviceData {
 public:
  /// Brings the rows to the current device. The dataset and the residency must outlive it.
  /// @throws BackendUnavailable if there is not even room for two tiles of rows
  DeviceData(const Dataset& dataset, Residency& residency);
  ~DeviceData();
  DeviceData(const DeviceData&) = delete;
  DeviceData& operator=(const DeviceData&) = delete;

  std::span<const PlanePlace> places() const noexcept { return places_; }
  /// Are all rows on the device while they are counted, and not a part at a time? As they came to
  /// the device last.
  bool stays() const noexcept { return part_rows_ >= dataset_.rows(); }
  /// Rows of the largest part, all if they stay; as they came to the device last.
  std::uint64_t part_rows() const noexcept { return part_rows_; }

  /// Calls launch(part) for all rows in turn. What it launches on the stream finds them there. For
  /// any thread whose current device is this one.
  /// Returns before they are evaluated if the rows stay, and else when all are on their way.
  /// @throws BackendUnavailable if the rows were dropped and there is no room for them any more
  void for_each_part(cudaStream_t stream, const TargetPlanes* target,
                     const std::function<void(const DeviceRows& part)>& launch);

 private:
  /// Rows on the device, and who uses them.
  struct Buffer {
    DeviceBuffer<uint4> planes;
    DeviceBuffer<uint4> target;
    Event filled;
    Event evaluated;
  };

  std::uint64_t stride() const noexcept;
  std::shared_lock<std::shared_mutex> hold_rows();
  void bring_in();
  void drop() noexcept;
  void make_buffers();
  const uint4* target_planes(const TargetPlanes& target);
  DeviceRows rows_of(const uint4* planes, const uint4* levels, std::uint64_t first,
                     const TargetPlanes* target) const noexcept;
  void copy_planes(std::uint64_t first, std::uint64_t rows, uint4* to, cudaStream_t stream);
  void copy_target(const TargetPlanes& target, std::uint64_t first, std::uint64_t rows, uint4* to,
                   cudaStream_t stream);

  const Dataset& dataset_;
  std::vector<PlanePlace> places_;
  std::uint32_t planes_;
  Residency& residency_;
  Residency::Table table_;
  std::atomic<std::uint64_t> part_rows_ = 0;
  std::mutex mutex_;  ///< of what for_each_part() changes
  Buffer buffers_[2];
  std::size_t next_ = 0;  ///< buffer to fill
  Stream copies_;
  std::map<const TargetPlanes*, DeviceBuffer<uint4>> targets_;  ///< of all rows, if they stay
  std::vector<Pin> pins_;                                       ///< of partitions' planes
};

/// The slices that rows of a target are handed over in.
inline constexpr std::size_t target_slice_words = 64;

}  // namespace atl::cuda
