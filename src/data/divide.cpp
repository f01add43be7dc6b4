#include "src/data/divide.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "src/data/storage.hpp"

namespace atl {
namespace {

/// Fewer partitions a part than so many are cut, or some would have far more rows than others.
constexpr std::uint64_t enough_partitions = 16;

}  // namespace

ShardRows shard_rows(std::uint64_t rows, std::uint32_t partition_rows, const RowShare& share) {
  const auto count = static_cast<std::uint64_t>(share.of);
  const std::uint64_t partitions = (rows + partition_rows - 1) / partition_rows;
  const bool whole_partitions = partitions >= enough_partitions * count;
  const std::uint32_t granule = whole_partitions ? partition_rows : partition_granule;
  const std::uint64_t granules = (rows + granule - 1) / granule;
  const auto begin_of = [&](int which) {
    return std::min(granules * static_cast<std::uint64_t>(which) / count * granule, rows);
  };
  return {begin_of(share.number), begin_of(share.number + 1), granule};
}

void divide(Dataset& whole, const RowShare& share) {
  using Storage = Dataset::Storage;
  const Storage& all = *whole.storage_;
  const auto [begin, end, granule] = shard_rows(all.rows, all.partition_rows, share);

  auto shard = std::make_unique<Storage>();
  shard->attributes = all.attributes;
  shard->first_plane = all.first_plane;
  shard->partition_rows = granule;
  shard->first_row = all.first_row + begin;
  shard->rows = end - begin;
  shard->whole_rows = whole.whole_rows();
  shard->fingerprint = all.fingerprint;
  const std::size_t planes = all.first_plane.back();
  for (std::uint64_t row = begin; row < end; row += granule) {
    const Storage::Partition& from =
        all.partitions[static_cast<std::size_t>(row / all.partition_rows)];
    assert(from.is_here());
    Storage::Partition part(row - begin, std::min<std::uint64_t>(granule, end - row), planes);
    part.stride = from.stride;
    const std::uint64_t offset = (row - from.first_row) / 64;
    part.planes = from.planes.subspan(offset);
    part.size = part.planes.size();
    shard->partitions.push_back(std::move(part));
  }
  whole.storage_->shard = std::make_unique<Dataset>(std::move(shard));
}

}  // namespace atl
