// The trees of covers whose tails a device computes at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <span>
#include <vector>

#include "cuda/device/handles.hpp"
#include "cuda/host/tail_plan.hpp"
#include "cuda/uncertain/uncertain_kernels.hpp"

namespace atl::cuda {

/// Of the current device. Its steps are called in the order in which they stand here.
class TailBatch {
 public:
  /// @param rows    that a cover can have
  /// @param memory  bytes for distributions at most, unless one cover needs more
  TailBatch(std::uint64_t rows, std::uint64_t memory);

  /// Takes covers from the first on, at least one, as many as there is memory for.
  /// @param rows  [covers] @return how many
  std::size_t plan(std::span<const std::uint32_t> rows);
  /// @param least  [taken]
  void upload(std::span<const std::uint32_t> least, cudaStream_t stream);
  /// Asynchronous. @param sets  whose covers were taken
  void launch(const DeviceColumns& columns, const DeviceSets& sets, const TileCovers& covers,
              cudaStream_t stream);
  /// Blocking. @param tails  [taken] overwritten
  void download(std::span<double> tails, cudaStream_t stream);

 private:
  TailNodes level(std::size_t height) const noexcept;

  double exponent_;
  TileStrides strides_;
  std::uint32_t most_tiles_;
  std::vector<std::uint32_t> tile_counts_;
  std::vector<TailLevel> levels_;
  std::uint32_t tiles_ = 0, joins_ = 0, ends_ = 0;
  PinnedBuffer<TailTile> host_tiles_;
  PinnedBuffer<TailJoin> host_joins_;
  PinnedBuffer<TailEnd> host_ends_;
  PinnedBuffer<std::uint32_t> host_least_;
  PinnedBuffer<double> host_tails_;
  DeviceBuffer<TailTile> tiles_there_;
  DeviceBuffer<TailJoin> joins_there_;
  DeviceBuffer<TailEnd> ends_there_;
  DeviceBuffer<std::uint32_t> least_there_;
  DeviceBuffer<double> tails_there_;
  // Of even levels and of odd ones.
  std::array<DeviceBuffer<TailNode>, 2> nodes_;
  std::array<DeviceBuffer<double>, 2> values_;
};

}  // namespace atl::cuda
