// The tables of a dataset file that describe its planes: attributes, dictionaries, counts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/h5_types.hpp"
#include "io/hdf5/h5_writer.hpp"

namespace atl::io {

/// The plan of loading a dataset, made from the file's tables.
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

inline constexpr const char* dataset_format = "atoll.dataset";
inline constexpr std::uint64_t dataset_version = 1;

/// Size of /planes: partitions, planes of all attributes together, words of a plane (a multiple
/// of 8, enough for the longest partition).
Hdf5Index planes_extent(std::uint64_t rows, std::uint32_t partition_rows,
                        std::span<const Attribute> attributes);

/// Planes of an attribute in the file, `present` included. @pre not binned
std::uint32_t stored_planes(const Attribute& attribute) noexcept;

/// @throws Hdf5Error
void write_tables(Hdf5Writer& file, std::span<const Attribute> attributes,
                  std::span<const IgnoredColumn> ignored);

/// All that a dataset file has.
Hdf5Names dataset_names();

/// Reads everything but the planes, checked to be consistent, the extent of the planes too.
/// @throws BadData, IoError
DatasetSummary read_tables(const Hdf5Reader& file);

}  // namespace atl::io
