#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace atl::io {

/// HDF5's message on a failed call: its innermost description, on one line.
struct Hdf5Error : std::runtime_error {
  Hdf5Error(const std::string& message, int error_number)
      : std::runtime_error(message), error_number(error_number) {}
  int error_number;  ///< errno of the system call that failed, 0 if none did
};

/// Position or extent in a three-dimensional dataset.
using Hdf5Index = std::array<std::uint64_t, 3>;

}  // namespace atl::io
