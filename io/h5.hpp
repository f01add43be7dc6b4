// The one thin layer over HDF5: handles that close themselves, one exception, one mutex (HDF5 is
// not thread-safe). Automatic error printing is off. No variable-length types.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"

namespace atl::io {

/// What HDF5 says of a failed call: its innermost description, on one line.
struct Hdf5Error : std::runtime_error {
  Hdf5Error(const std::string& message, int error_number)
      : std::runtime_error(message), error_number(error_number) {}
  int error_number;  ///< errno of the system call that failed, 0 if none did
};

/// Position or extent in a three-dimensional dataset.
using Hdf5Index = std::array<std::uint64_t, 3>;

/// An open HDF5 file. Equal calls make equal bytes. Every function throws Hdf5Error; after that
/// only destruction is useful.
class Hdf5File {
 public:
  /// Replaces what is at `path`.
  static Hdf5File create(const std::string& path);
  static Hdf5File create_in_memory();
  static Hdf5File open(const std::string& path);
  /// The bytes must outlive the file.
  static Hdf5File open_image(std::span<const std::byte> image);
  /// Collective over the communicator, through MPI-IO, if HDF5 and the communicator can; like
  /// open(path) otherwise.
  static Hdf5File open_collective(const std::string& path, const Communicator& communicator);

  /// Closes. What a failed write left unwritten is dropped.
  ~Hdf5File();
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) = delete;

  /// Writes everything out and closes. Nothing else may be called then.
  void close();
  /// The file as bytes. @pre created in memory
  Bytes image();

  /// Attributes of the root group: a number (u64) or a text (fixed length, UTF-8).
  void put(const std::string& name, std::uint64_t value);
  void put(const std::string& name, std::string_view text);
  bool has(const std::string& name) const;
  std::uint64_t number(const std::string& name) const;
  std::string text(const std::string& name) const;

  void create_group(const std::string& name);

  /// One-dimensional datasets; T is uint8_t, uint32_t, uint64_t or double.
  template <typename T>
  void write(const std::string& name, std::span<const T> values);
  template <typename T>
  std::vector<T> read(const std::string& name) const;

  /// A contiguous three-dimensional dataset of u64, its space set aside, its values not defined
  /// until written.
  void create_blocks(const std::string& name, const Hdf5Index& extent);
  Hdf5Index extent(const std::string& name) const;
  /// The block of `size` that begins at `start`, last index fastest.
  void write_block(const std::string& name, const Hdf5Index& start, const Hdf5Index& size,
                   std::span<const std::uint64_t> values);
  /// Collective if the file was opened so; each rank may ask for another block.
  void read_block(const std::string& name, const Hdf5Index& start, const Hdf5Index& size,
                  std::span<std::uint64_t> values) const;

 private:
  struct State;
  explicit Hdf5File(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace atl::io
