#include "cuda/device_rows.hpp"

namespace atl::cuda {

ResidentRows::ResidentRows(const Dataset& dataset) {
  std::uint32_t planes = 0;
  for (const Attribute& attribute : dataset.attributes()) {
    first_planes_.push_back(planes);
    planes += attribute.planes() + (attribute.has_missing ? 1U : 0U);
  }
  const std::uint64_t tiles = (dataset.rows() + tile_rows - 1) / tile_rows;
  const std::uint64_t plane_bytes = tiles * term_bytes;
  planes_.reserve(planes * plane_bytes / sizeof(uint4));
  // Zero beyond the rows.
  check(cudaMemset(planes_.data(), 0, planes * plane_bytes));
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const std::uint64_t begin = dataset.partition_first_row(p) / 8;
    const std::size_t bytes = dataset.words(p) * sizeof(std::uint64_t);
    for (std::uint32_t a = 0; a < first_planes_.size(); ++a) {
      const Attribute& attribute = dataset.attributes()[a];
      const std::size_t count = attribute.planes() + (attribute.has_missing ? 1U : 0U);
      auto* const to =
          reinterpret_cast<std::byte*>(planes_.data()) + first_planes_[a] * plane_bytes + begin;
      check(cudaMemcpy2D(to, plane_bytes, dataset.plane(p, a, 0).data(),
                         dataset.plane_stride(p) * sizeof(std::uint64_t), bytes, count,
                         cudaMemcpyHostToDevice));
    }
  }
  rows_ = {planes_.data(), plane_bytes / sizeof(uint4), static_cast<std::uint32_t>(dataset.rows()),
           dataset.first_row()};
}

}  // namespace atl::cuda
