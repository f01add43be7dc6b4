#include "cuda/device/device_data.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "cuda/device/devices.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {

namespace {

/// Bits of a TargetScale's greatest level.
constexpr std::uint32_t most_target_planes = 32;
/// Bytes from one plane of a target to the next that CUDA copies take.
constexpr std::uint64_t most_pitch = (std::uint64_t{1} << 31) - tile_bytes;

constexpr std::uint64_t tiles_of(std::uint64_t rows) noexcept {
  return (rows + tile_rows - 1) / tile_rows;
}

}  // namespace

DeviceData::DeviceData(const Dataset& dataset, std::uint64_t memory)
    : dataset_(dataset), places_(plane_places(dataset.attributes())), planes_(places_.back().end) {
  make_buffers(memory);
  if (stays()) {
    copy_planes(0, dataset_.rows(), buffers_[0].planes.data(), copies_);
  } else {
    // Copies from pinned memory leave the host alone. Where it cannot be had they work, too.
    for (std::size_t p = 0; p < dataset_.partitions(); ++p) {
      const std::size_t words = planes_ * dataset_.plane_stride(p);
      pins_.push_back(try_pin(dataset_.plane(p, 0, 0).data(), words * sizeof(std::uint64_t)));
    }
  }
  check(cudaStreamSynchronize(copies_));
}

DeviceData::~DeviceData() {
  cudaStreamSynchronize(copies_);
}

std::uint64_t DeviceData::stride() const noexcept {
  return tiles_of(part_rows_) * tile_units;
}

void DeviceData::make_buffers(std::uint64_t memory) {
  const std::uint64_t free = free_memory();
  const std::uint64_t room = memory == 0 ? free : std::min(memory, free);
  // A target's planes may join them.
  const std::uint64_t tile_room = std::uint64_t{planes_ + most_target_planes} * tile_bytes;
  const std::uint64_t most_tiles =
      std::min((room - room / 10) / tile_room, most_pitch / tile_bytes);
  const std::uint64_t all_tiles = std::max<std::uint64_t>(tiles_of(dataset_.rows()), 1);
  const std::uint64_t tile = std::uint64_t{planes_} * tile_units;
  if (most_tiles >= all_tiles && buffers_[0].planes.try_reserve(all_tiles * tile)) {
    part_rows_ = all_tiles * tile_rows;
    return;
  }
  // Others may have taken of what was free.
  for (std::uint64_t tiles = most_tiles / 2; tiles != 0; tiles /= 2) {
    buffers_[0].planes = {};
    if (buffers_[0].planes.try_reserve(tiles * tile) &&
        buffers_[1].planes.try_reserve(tiles * tile)) {
      part_rows_ = tiles * tile_rows;
      return;
    }
  }
  const std::uint64_t needed = 2 * tile_room * 10 / 9;
  if (memory != 0 && memory < free) {
    throw BackendUnavailable("cuda", "--device-memory " + std::to_string(memory) +
                                         " is too little: " + std::to_string(needed) +
                                         " bytes are needed");
  }
  refuse_for_memory(needed);
}

// A copy for each tile, as its planes lie apart in the dataset: on the device they are one behind
// the other. Of a tile on the border of partitions, for each of its parts.
void DeviceData::copy_planes(std::uint64_t first, std::uint64_t rows, uint4* to,
                             cudaStream_t stream) {
  const auto tile_at = [&](std::uint64_t row) {  // row of the part
    return reinterpret_cast<std::byte*>(to + row / tile_rows * planes_ * tile_units);
  };
  // Zero beyond the rows.
  if (rows % tile_rows != 0) {
    check(cudaMemsetAsync(tile_at(rows), 0, std::size_t{planes_} * tile_bytes, stream));
  }
  for (std::size_t p = 0; p < dataset_.partitions(); ++p) {
    const std::uint64_t partition = dataset_.partition_first_row(p);
    const std::uint64_t end = std::min(first + rows, partition + dataset_.partition_rows(p));
    for (std::uint64_t row = std::max(first, partition); row < end;) {
      const std::uint64_t in_part = row - first;
      const std::uint64_t in_tile = in_part % tile_rows;
      const std::uint64_t count = std::min(end - row, tile_rows - in_tile);
      check(cudaMemcpy2DAsync(tile_at(in_part) + in_tile / 8, tile_bytes,
                              dataset_.plane(p, 0, 0).data() + (row - partition) / 64,
                              dataset_.plane_stride(p) * sizeof(std::uint64_t),
                              (count + 63) / 64 * sizeof(std::uint64_t), planes_,
                              cudaMemcpyHostToDevice, stream));
      row += count;
    }
  }
}

void DeviceData::copy_target(const TargetPlanes& target, std::uint64_t first, std::uint64_t rows,
                             uint4* to, cudaStream_t stream) {
  constexpr std::uint64_t slice_rows = target_slice_words * 64;
  constexpr std::size_t slice_bytes = target_slice_words * sizeof(std::uint64_t);
  const std::uint32_t planes = target.scale().planes;
  const std::uint64_t slices = (rows + slice_rows - 1) / slice_rows;
  if (slices * slice_rows % tile_rows != 0) {
    check(cudaMemset2DAsync(reinterpret_cast<std::byte*>(to) + slices * slice_bytes,
                            stride() * sizeof(uint4), 0, slice_bytes, planes, stream));
  }
  for (std::uint32_t p = 0; p < planes; ++p) {
    check(cudaMemcpy2DAsync(
        to + p * stride(), slice_bytes, target.planes(first / slice_rows) + p * target_slice_words,
        planes * slice_bytes, slice_bytes, slices, cudaMemcpyHostToDevice, stream));
  }
}

void DeviceData::for_each_part(cudaStream_t stream, const TargetPlanes* target,
                               const std::function<void(const DeviceRows& part)>& launch) {
  const auto rows_of = [&](const uint4* planes, const uint4* levels, std::uint64_t first) {
    const std::uint64_t rows = std::min(part_rows_, dataset_.rows() - first);
    return DeviceRows{planes,
                      planes_,
                      rows,
                      dataset_.first_row() + first,
                      stride(),
                      levels,
                      target == nullptr ? 0 : target->scale().planes};
  };
  std::unique_lock lock(mutex_);
  if (stays()) {
    const uint4* levels = nullptr;
    if (target != nullptr) {
      auto known = targets_.find(target);
      if (known == targets_.end()) {
        DeviceBuffer<uint4> planes;
        planes.reserve(target->scale().planes * stride());
        copy_target(*target, 0, dataset_.rows(), planes.data(), copies_);
        check(cudaStreamSynchronize(copies_));
        known = targets_.emplace(target, std::move(planes)).first;
      }
      levels = known->second.data();
    }
    lock.unlock();
    launch(rows_of(buffers_[0].planes.data(), levels, 0));
    return;
  }
  for (std::uint64_t first = 0; first < dataset_.rows(); first += part_rows_) {
    Buffer& buffer = buffers_[next_];
    next_ = 1 - next_;
    check(cudaStreamWaitEvent(copies_, buffer.evaluated));
    const std::uint64_t rows = std::min(part_rows_, dataset_.rows() - first);
    copy_planes(first, rows, buffer.planes.data(), copies_);
    if (target != nullptr) {
      buffer.target.reserve(target->scale().planes * stride());
      copy_target(*target, first, rows, buffer.target.data(), copies_);
    }
    buffer.filled.record(copies_);
    check(cudaStreamWaitEvent(stream, buffer.filled));
    launch(rows_of(buffer.planes.data(), buffer.target.data(), first));
    buffer.evaluated.record(stream);
  }
}

}  // namespace atl::cuda
