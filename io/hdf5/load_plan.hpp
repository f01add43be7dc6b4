// What every rank must know to load a dataset, decided by rank 0 from the file's tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/h5_types.hpp"
#include "src/core/bytes.hpp"

namespace atl::io {

struct LoadPlan {
  std::uint64_t rows = 0;
  std::uint32_t partition_rows = 0;
  Fingerprint fingerprint;
  Hdf5Index extent{};                                ///< of /planes
  std::vector<Attribute> attributes;                 ///< binned
  std::vector<std::vector<std::uint32_t>> bin_ends;  ///< [attributes] empty if not binned
};

/// @throws UsageError if options.attribute_bins names what is neither numeric nor a date
LoadPlan make_load_plan(DatasetSummary summary, const LoadOptions& options);

Bytes encode(const LoadPlan& plan);
LoadPlan decode_load_plan(std::span<const std::byte> bytes);

}  // namespace atl::io
