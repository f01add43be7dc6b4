#include "cuda/uncertain/tail_batch.hpp"

#include <algorithm>

#include "src/core/window_reach.hpp"

namespace atl::cuda {
namespace {

/// Tiles on the device at a time: many blocks for each of its processors.
constexpr std::uint64_t tiles_of_batch = std::uint64_t{1} << 16;

std::uint32_t odd(std::uint32_t width) {
  return width | 1;
}

template <typename T>
void copy_there(const PinnedBuffer<T>& from, std::size_t count, DeviceBuffer<T>& to,
                cudaStream_t stream) {
  to.reserve(count);
  check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyHostToDevice, stream));
}

/// One part of each level after the other.
template <typename T>
std::uint32_t gather(const std::vector<TailLevel>& levels, std::vector<T> TailLevel::*part,
                     PinnedBuffer<T>& to) {
  std::size_t count = 0;
  for (const TailLevel& level : levels) count += (level.*part).size();
  to.reserve(count);
  T* at = to.data();
  for (const TailLevel& level : levels)
    at = std::copy((level.*part).begin(), (level.*part).end(), at);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

TailBatch::TailBatch(std::uint64_t rows, std::uint64_t memory)
    : exponent_(tail_exponent(rows)), strides_{} {
  for (std::uint32_t l = 0; l < tile_levels; ++l)
    strides_.of_level[l] = odd(most_window_width(std::uint64_t{leaf_rows} << l, exponent_));
  // Levels come to lie in the memory of those two below.
  const std::uint64_t bytes_of_two =
      3 * sizeof(TailNode) + (2 * level(0).stride + level(1).stride) * sizeof(double);
  most_tiles_ = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(2 * (memory / bytes_of_two), 1, tiles_of_batch));
}

TailNodes TailBatch::level(std::size_t height) const noexcept {
  return {nodes_[height % 2].data(), values_[height % 2].data(),
          most_window_width(std::uint64_t{most_tile_rows} << height, exponent_)};
}

std::size_t TailBatch::plan(std::span<const std::uint32_t> rows) {
  tile_counts_.clear();
  tiles_ = 0;
  for (const std::uint32_t of_cover : rows) {
    const std::uint32_t tiles = tail_tiles(of_cover);
    if (!tile_counts_.empty() && tiles_ + tiles > most_tiles_) break;
    tile_counts_.push_back(tiles);
    tiles_ += tiles;
  }
  levels_ = plan_tails(tile_counts_);
  host_tiles_.reserve(tiles_);
  TailTile* at = host_tiles_.data();
  for (std::uint32_t c = 0; c < tile_counts_.size(); ++c) {
    for (std::uint32_t t = 0; t < tile_counts_[c]; ++t) *at++ = {c, t};
  }
  joins_ = gather(levels_, &TailLevel::joins, host_joins_);
  ends_ = gather(levels_, &TailLevel::ends, host_ends_);
  return tile_counts_.size();
}

void TailBatch::upload(std::span<const std::uint32_t> least, cudaStream_t stream) {
  host_least_.reserve(least.size());
  std::copy(least.begin(), least.end(), host_least_.data());
  copy_there(host_least_, least.size(), least_there_, stream);
  copy_there(host_tiles_, tiles_, tiles_there_, stream);
  copy_there(host_joins_, joins_, joins_there_, stream);
  copy_there(host_ends_, ends_, ends_there_, stream);
  tails_there_.reserve(least.size());
  for (std::size_t height = 0; height < levels_.size(); ++height) {
    const std::size_t nodes = levels_[height].nodes;
    nodes_[height % 2].reserve(nodes);
    values_[height % 2].reserve(nodes * level(height).stride);
  }
}

void TailBatch::launch(const DeviceColumns& columns, const DeviceSets& sets,
                       const TileCovers& covers, cudaStream_t stream) {
  // Covers of no rows, which no tree has.
  check(cudaMemsetAsync(tails_there_.data(), 0, tile_counts_.size() * sizeof(double), stream));
  launch_tiles(columns, sets, covers, tiles_there_.data(), tiles_, strides_, exponent_, level(0),
               stream);
  const TailJoin* joins = joins_there_.data();
  const TailEnd* ends = ends_there_.data();
  for (std::size_t height = 0; height < levels_.size(); ++height) {
    const TailLevel& from = levels_[height];
    launch_joins(level(height), joins, static_cast<std::uint32_t>(from.joins.size()), exponent_,
                 level(height + 1), stream);
    launch_tails(level(height), ends, static_cast<std::uint32_t>(from.ends.size()),
                 least_there_.data(), tails_there_.data(), stream);
    joins += from.joins.size();
    ends += from.ends.size();
  }
}

void TailBatch::download(std::span<double> tails, cudaStream_t stream) {
  host_tails_.reserve(tails.size());
  check(cudaMemcpyAsync(host_tails_.data(), tails_there_.data(), tails.size_bytes(),
                        cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  std::copy_n(host_tails_.data(), tails.size(), tails.begin());
}

}  // namespace atl::cuda
