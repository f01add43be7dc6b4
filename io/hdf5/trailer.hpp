// The last 32 bytes of every binary file of ours (io/FORMAT.md): its length and content hash,
// checked before HDF5, which does not survive every damaged file, gets to see it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "src/core/files/atomic_file.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/hash.hpp"

namespace atl::io {

/// Hashes what the file holds by now and appends the trailer. @throws CannotCreate, IoError
void append_trailer(AtomicFile& file);

/// Does the file begin with HDF5's signature? @throws IoError
bool begins_like_hdf5(const InputFile& file);

struct Trailer {
  std::uint64_t length;  ///< bytes before the trailer
  Hash128 hash;          ///< of these bytes
  std::array<char, 8> magic;
};

/// @throws BadData (no HDF5 file, no file of ours, cut short); IoError
Trailer read_trailer(const InputFile& file);
/// Reads the whole file and checks it against its trailer, which tells accidents but keeps nobody
/// from writing another. @throws BadData (damaged); IoError
void verify_content(const InputFile& file, const Trailer& trailer);

}  // namespace atl::io
