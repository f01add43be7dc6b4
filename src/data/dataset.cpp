#include "src/data/dataset.hpp"

#include <algorithm>
#include <cassert>

#include "src/data/row_codes.hpp"
#include "src/data/storage.hpp"

namespace atl {

Dataset::Dataset(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}
Dataset::~Dataset() = default;
Dataset::Dataset(Dataset&&) noexcept = default;
Dataset& Dataset::operator=(Dataset&&) noexcept = default;

std::uint64_t Dataset::rows() const noexcept {
  return storage_->rows;
}
std::uint64_t Dataset::first_row() const noexcept {
  return storage_->first_row;
}
std::uint64_t Dataset::whole_rows() const noexcept {
  return storage_->whole_rows != 0 ? storage_->whole_rows : storage_->rows;
}
const Dataset& Dataset::shard() const noexcept {
  return storage_->shard ? *storage_->shard : *this;
}
std::span<const Attribute> Dataset::attributes() const noexcept {
  return storage_->attributes;
}
Fingerprint Dataset::fingerprint() const noexcept {
  return storage_->fingerprint;
}
std::size_t Dataset::partitions() const noexcept {
  return storage_->partitions.size();
}

std::uint64_t Dataset::partition_rows(std::size_t partition) const noexcept {
  return storage_->partitions[partition].rows;
}

bool Dataset::holds(std::size_t partition) const noexcept {
  return storage_->partitions[partition].is_here();
}

std::uint64_t Dataset::rows_held() const noexcept {
  std::uint64_t held = 0;
  for (const Storage::Partition& partition : storage_->partitions)
    held += partition.is_here() ? partition.rows : 0;
  return held;
}

std::uint64_t Dataset::bytes_held() const noexcept {
  std::uint64_t bytes = 0;
  for (const Storage::Partition& partition : storage_->partitions)
    bytes += partition.planes.size_bytes();
  return bytes;
}

const KeptRows* Dataset::kept_rows() const noexcept {
  return storage_->kept.get();
}

std::uint64_t Dataset::partition_first_row(std::size_t partition) const noexcept {
  return storage_->partitions[partition].first_row;
}

std::size_t Dataset::words(std::size_t partition) const noexcept {
  return storage_->partitions[partition].words;
}

std::size_t Dataset::plane_stride(std::size_t partition) const noexcept {
  return storage_->partitions[partition].stride;
}

std::span<const std::uint64_t> Dataset::plane(std::size_t partition, std::uint32_t attribute,
                                              std::uint32_t bit) const noexcept {
  assert(storage_->first_plane[attribute] + bit < storage_->first_plane[attribute + 1]);
  const Storage::Partition& from = storage_->partitions[partition];
  assert(from.is_here());
  const std::size_t index = storage_->first_plane[attribute] + bit;
  return from.planes.subspan(index * from.stride, from.words);
}

std::span<const std::uint64_t> Dataset::present(std::size_t partition,
                                                std::uint32_t attribute) const noexcept {
  const Attribute& column = storage_->attributes[attribute];
  if (!column.has_missing) return {};
  return plane(partition, attribute, column.planes());
}

void Dataset::codes(std::size_t partition, std::uint32_t attribute,
                    std::span<std::uint32_t> out) const {
  const Attribute& of = attributes()[attribute];
  const PlaneLayout layout{of.planes(), of.has_missing, plane_stride(partition)};
  planes_to_codes({plane(partition, attribute, 0).data(), layout.size()}, layout, out);
}

std::uint32_t Dataset::code(std::uint64_t row, std::uint32_t attribute) const {
  assert(row < storage_->rows);
  const auto partition = static_cast<std::size_t>(row / storage_->partition_rows);
  if (!holds(partition)) return codes_of(*this, attribute, {&row, 1}).front();
  const std::uint64_t offset = row % storage_->partition_rows;
  const auto bit_of = [&](std::span<const std::uint64_t> plane) {
    return static_cast<std::uint32_t>((plane[offset / 64] >> (offset % 64)) & 1);
  };
  const Attribute& column = storage_->attributes[attribute];
  if (column.has_missing && bit_of(present(partition, attribute)) == 0) return missing_code;
  std::uint32_t code = 0;
  for (std::uint32_t bit = 0; bit < column.planes(); ++bit) {
    code |= bit_of(plane(partition, attribute, bit)) << bit;
  }
  return code;
}

std::optional<std::uint32_t> Dataset::find(std::string_view name) const noexcept {
  const auto all = attributes();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Attribute& a) { return a.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - all.begin());
}

std::vector<std::uint32_t> all_codes(const Dataset& dataset, std::uint32_t attribute) {
  std::vector<std::uint32_t> codes(dataset.rows());
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    dataset.codes(
        p, attribute,
        std::span(codes).subspan(dataset.partition_first_row(p), dataset.partition_rows(p)));
  }
  return codes;
}

}  // namespace atl
