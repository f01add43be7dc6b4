#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/hdf5/h5_types.hpp"
#include "src/core/files/atomic_file.hpp"

namespace atl::io {

/// Makes a new HDF5 file in memory: HDF5 does not survive a disk that fills up (a close that fails
/// leaves identifiers behind that it crashes on at exit), so it never writes to one. Equal calls
/// make equal bytes. No variable-length types. Everything throws Hdf5Error.
class Hdf5Writer {
 public:
  Hdf5Writer();
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  /// Attributes of the root group: a number (u64) or a text (fixed length, UTF-8, not empty).
  void put(const std::string& name, std::uint64_t value);
  void put(const std::string& name, std::string_view text);

  void create_group(const std::string& name);

  /// A one-dimensional dataset; T is uint8_t, uint32_t, uint64_t or double.
  template <typename T>
  void write(const std::string& name, std::span<const T> values);

  /// Sets aside a contiguous three-dimensional dataset of u64, last index fastest. It takes no
  /// memory: its values are the caller's to write into the file, little-endian.
  /// @return the offset in the file at which they begin
  std::uint64_t set_aside(const std::string& name, const Hdf5Index& extent);
  /// Likewise, one of u32 with one dimension. @pre size > 0
  std::uint64_t set_aside_u32(const std::string& name, std::uint64_t size);

  /// Ends the file and writes all of it but what was set aside. Nothing may be called after that.
  /// @throws CannotCreate, IoError
  void finish(AtomicFile& file);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// As an error of the output at `path`: what the system said, or else a limit that is in the way.
[[noreturn]] void throw_not_made(const std::string& path, const Hdf5Error& error);

/// Runs what makes a file by Hdf5Writer. @throws CannotCreate for Hdf5Error
template <typename Work>
auto making(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const Hdf5Error& error) {
    throw_not_made(path, error);
  }
}

}  // namespace atl::io
