#include "cuda/device/device_data.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "cuda/device/visible_devices.hpp"
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

DeviceData::DeviceData(const Dataset& dataset, Residency& residency)
    : dataset_(dataset),
      places_(plane_places(dataset.attributes())),
      planes_(places_.back().end),
      residency_(residency),
      table_{[this] { drop(); }} {
  residency_.join(table_);
  try {
    hold_rows();
  } catch (...) {
    residency_.leave(table_);
    throw;
  }
}

DeviceData::~DeviceData() {
  cudaStreamSynchronize(copies_);
  residency_.leave(table_);
}

/// A lock of the residency, with the rows in place.
std::shared_lock<std::shared_mutex> DeviceData::hold_rows() {
  while (true) {  // another table may take its room before it is held
    std::shared_lock held(residency_.mutex());
    if (table_.bytes != 0) {
      residency_.use(table_);
      return held;
    }
    held.unlock();
    const std::unique_lock alone(residency_.mutex());
    if (table_.bytes == 0) bring_in();
  }
}

void DeviceData::bring_in() {
  try {
    make_buffers();
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
  } catch (...) {
    drop();
    table_.bytes = table_.allocated = 0;
    throw;
  }
}

void DeviceData::drop() noexcept {
  cudaDeviceSynchronize();  // kernels that were launched before may still read the rows
  for (Buffer& buffer : buffers_) {
    buffer.planes = {};
    buffer.target = {};
  }
  targets_.clear();
  pins_.clear();
}

std::uint64_t DeviceData::stride() const noexcept {
  return tiles_of(part_rows_) * tile_units;
}

void DeviceData::make_buffers() {
  // A target's planes may join them.
  const std::uint64_t tile_room = std::uint64_t{planes_ + most_target_planes} * tile_bytes;
  const std::uint64_t all_tiles = std::max<std::uint64_t>(tiles_of(dataset_.rows()), 1);
  const std::uint64_t free = free_memory();
  const std::uint64_t budget = residency_.budget(free);
  const std::uint64_t room = residency_.make_room(table_, all_tiles * tile_room, free);
  const std::uint64_t most_tiles = std::min(room / tile_room, most_pitch / tile_bytes);
  const std::uint64_t tile = std::uint64_t{planes_} * tile_units;
  if (most_tiles >= all_tiles && buffers_[0].planes.try_reserve(all_tiles * tile)) {
    part_rows_ = all_tiles * tile_rows;
    table_.bytes = all_tiles * tile_room;
    table_.allocated = all_tiles * tile * sizeof(uint4);
    return;
  }
  // Others may have taken of what was free.
  for (std::uint64_t tiles = most_tiles / 2; tiles != 0; tiles /= 2) {
    buffers_[0].planes = {};
    if (buffers_[0].planes.try_reserve(tiles * tile) &&
        buffers_[1].planes.try_reserve(tiles * tile)) {
      part_rows_ = tiles * tile_rows;
      table_.bytes = 2 * tiles * tile_room;
      table_.allocated = 2 * tiles * tile * sizeof(uint4);
      return;
    }
  }
  const std::uint64_t needed = 2 * tile_room * 10 / 9;
  if (budget < free) {
    throw BackendUnavailable(
        "cuda", "--device-memory, or this rank's part of the GPU, of " + std::to_string(budget) +
                    " bytes is too little: " + std::to_string(needed) + " bytes are needed");
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

/// The planes of a target on all rows, which stay. @pre mutex_ is held
const uint4* DeviceData::target_planes(const TargetPlanes& target) {
  auto known = targets_.find(&target);
  if (known == targets_.end()) {
    DeviceBuffer<uint4> planes;
    planes.reserve(target.scale().planes * stride());
    table_.allocated += target.scale().planes * stride() * sizeof(uint4);
    copy_target(target, 0, dataset_.rows(), planes.data(), copies_);
    check(cudaStreamSynchronize(copies_));
    known = targets_.emplace(&target, std::move(planes)).first;
  }
  return known->second.data();
}

DeviceRows DeviceData::rows_of(const uint4* planes, const uint4* levels, std::uint64_t first,
                               const TargetPlanes* target) const noexcept {
  const std::uint64_t rows = std::min<std::uint64_t>(part_rows_, dataset_.rows() - first);
  return {planes,
          planes_,
          rows,
          dataset_.first_row() + first,
          stride(),
          levels,
          target == nullptr ? 0 : target->scale().planes};
}

void DeviceData::for_each_part(cudaStream_t stream, const TargetPlanes* target,
                               const std::function<void(const DeviceRows& part)>& launch) {
  const auto in_place = hold_rows();
  std::unique_lock lock(mutex_);
  if (stays()) {
    const uint4* const levels = target == nullptr ? nullptr : target_planes(*target);
    lock.unlock();
    launch(rows_of(buffers_[0].planes.data(), levels, 0, target));
    return;
  }
  for (std::uint64_t first = 0; first < dataset_.rows(); first += part_rows_) {
    Buffer& buffer = buffers_[next_];
    next_ = 1 - next_;
    check(cudaStreamWaitEvent(copies_, buffer.evaluated));
    const std::uint64_t rows = std::min<std::uint64_t>(part_rows_, dataset_.rows() - first);
    copy_planes(first, rows, buffer.planes.data(), copies_);
    if (target != nullptr) {
      buffer.target.reserve(target->scale().planes * stride());
      copy_target(*target, first, rows, buffer.target.data(), copies_);
    }
    buffer.filled.record(copies_);
    check(cudaStreamWaitEvent(stream, buffer.filled));
    launch(rows_of(buffer.planes.data(), buffer.target.data(), first, target));
    buffer.evaluated.record(stream);
  }
}

}  // namespace atl::cuda
