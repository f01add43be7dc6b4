#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/h5_types.hpp"
#include "src/core/communicator.hpp"

namespace atl::io {

/// An HDF5 file open for reading. Everything throws Hdf5Error. Only for files whose trailer has
/// been verified: HDF5 itself can crash on damaged ones.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::string& path);
  /// Collective over the communicator, through MPI-IO, if HDF5 and the communicator can; else as
  /// above.
  Hdf5Reader(const std::string& path, const Communicator& communicator);
  ~Hdf5Reader();
  Hdf5Reader(Hdf5Reader&&) noexcept;
  Hdf5Reader& operator=(Hdf5Reader&&) = delete;

  /// Attributes of the root group.
  bool has(const std::string& name) const;
  std::uint64_t number(const std::string& name) const;
  std::string text(const std::string& name) const;

  /// A one-dimensional dataset; T is uint8_t, uint32_t, uint64_t or double.
  template <typename T>
  std::vector<T> read(const std::string& name) const;

  /// Of a three-dimensional dataset.
  Hdf5Index extent(const std::string& name) const;
  /// The block of `size` that begins at `start` of a three-dimensional dataset, last index
  /// fastest. Collective if the file was opened so; each rank may ask for another block.
  /// @param values  [product of size] overwritten
  void read_block(const std::string& name, const Hdf5Index& start, const Hdf5Index& size,
                  std::span<std::uint64_t> values) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace atl::io
