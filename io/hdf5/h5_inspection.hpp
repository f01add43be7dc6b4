// HDF5's parser meets files of strangers in a process of its own: it may crash, hang or ask for all
// memory there.
#pragma once

#include <optional>

#include "io/hdf5/h5_layout.hpp"
#include "src/core/files/input_file.hpp"

namespace atl::io {

/// Starts this program again, as a child that looks into the file: for at most a few seconds of
/// processor time, with little memory, and with the very file that is open here, whatever its name
/// means by now. Safe beside threads, MPI and CUDA, none of which the child starts: nothing of this
/// process is copied.
/// @throws BadData if HDF5 cannot read it or does not survive it; IoError if reading fails, or no
/// process is to be had
Hdf5Layout inspect_in_child(const InputFile& file, const Hdf5Names& names);

/// To be called first by every main() of a program that uses the above.
/// @return the status to exit with if this process is such a child
std::optional<int> run_inspection_child(int argc, char** argv);

}  // namespace atl::io
