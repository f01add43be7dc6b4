// The plan of loading a dataset, made from the file's tables.
#pragma once

#include <cstdint>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/h5_types.hpp"

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

}  // namespace atl::io
