#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/h5_layout.hpp"
#include "io/hdf5/h5_types.hpp"
#include "src/core/files/input_file.hpp"

namespace atl::io {

/// An HDF5 file of ours, open for reading, whoever has made it. Its trailer is verified, HDF5 looks
/// into it in a process of its own, and what it finds is read from the very same open file without
/// HDF5. Every call throws BadData for what is not as the format says, IoError if reading fails.
class Hdf5Reader {
 public:
  /// Reads the whole file once, unless this process has read it before and it has not changed.
  /// @param names  what may be asked for
  /// @throws MissingInput, too
  Hdf5Reader(InputFile file, const Hdf5Names& names);

  const std::string& path() const noexcept { return file_.path(); }

  /// Attributes of the root group.
  bool has(const std::string& name) const;
  std::uint64_t number(const std::string& name) const;
  std::string text(const std::string& name) const;

  bool has_dataset(const std::string& name) const;
  /// A one-dimensional dataset; T is uint8_t, uint32_t, uint64_t or double.
  template <typename T>
  std::vector<T> read(const std::string& name) const;

  /// Lengths of a three-dimensional dataset.
  Hdf5Index extent(const std::string& name) const;
  /// Reads elements from `first` on of a three-dimensional dataset of uint64, last index fastest.
  void read_words(const std::string& name, std::uint64_t first, std::span<std::byte> words) const;

 private:
  const Hdf5Attribute& attribute(const std::string& name) const;
  const Hdf5Dataset& dataset(const std::string& name, Hdf5Type type, std::size_t dimensions) const;

  InputFile file_;
  Hdf5Layout layout_;
};

}  // namespace atl::io
