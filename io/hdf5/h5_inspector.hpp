#pragma once

#include "io/hdf5/h5_layout.hpp"

namespace atl::io {

/// Has HDF5 open the file and say where things are, without reading any dataset: contiguous ones,
/// of this file itself, which hard links name. HDF5 1.10 crashes on some files or never ends, so
/// this is for a process that may (h5_inspection.hpp). Never throws for what the file is like.
Hdf5Layout inspect_hdf5(const std::string& path, const Hdf5Names& names);

}  // namespace atl::io
