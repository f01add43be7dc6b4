// The data of a run: a dataset file, or a text table imported once.
#pragma once

#include <string>

#include "io/run_folder.hpp"
#include "src/core/report.hpp"

namespace atl {

/// The name of standard input as DATA.
inline constexpr const char* standard_input = "-";

/// Is it a regular file that begins with HDF5's signature? What else there is, such as a pipe, is
/// not opened. @throws MissingInput
bool is_hdf5(const std::string& path);

/// The dataset file to read: `data` itself, or RUN/data.h5, to which a text table is imported
/// unless that has been done. For rank 0 alone.
/// @throws as io::import_tables; BadData if RUN has checkpoints of other data: nothing is left then
std::string dataset_of_run(const std::string& data, const io::RunPaths& run, const Report& report);

}  // namespace atl
