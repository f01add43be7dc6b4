// Places of things in an HDF5 file, as told by the process that has HDF5 look into it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/bytes.hpp"

namespace atl::io {

enum class Hdf5Type : std::uint8_t { uint8, uint32, uint64, float64 };  ///< all little-endian

std::uint64_t size_of(Hdf5Type type) noexcept;

/// A single value of the root group.
struct Hdf5Attribute {
  std::string problem;  ///< why it is of no use; else empty
  std::optional<std::uint64_t> number;
  std::optional<std::string> text;
};

/// A dataset that lies in the file in one piece.
struct Hdf5Dataset {
  std::string problem;  ///< why it is of no use; else empty, and the rest holds
  Hdf5Type type = Hdf5Type::uint8;
  std::vector<std::uint64_t> extent;
  std::uint64_t offset = 0;  ///< of its first byte in the file
};

struct Hdf5Layout {
  std::string problem;   ///< why HDF5 cannot open the file; else empty
  int error_number = 0;  ///< errno of opening or reading the file, 0 if both went well
  std::map<std::string, Hdf5Attribute> attributes;
  std::map<std::string, Hdf5Dataset> datasets;
};

/// Names that are to be looked up; what the file does not have is left out of the layout.
struct Hdf5Names {
  std::vector<std::string> attributes;  ///< of the root group
  std::vector<std::string> datasets;    ///< paths, without a slash in front
  friend auto operator<=>(const Hdf5Names&, const Hdf5Names&) = default;
};

Bytes encode(const Hdf5Layout& layout);
/// @throws BadBytes
Hdf5Layout decode_hdf5_layout(std::span<const std::byte> bytes);

/// Every dataset lies between the beginning of the file and `length`, none over another, so that
/// all together are no longer than the file.
/// @return bytes of all together
/// @throws std::invalid_argument saying which is not so
std::uint64_t check_places(const Hdf5Layout& layout, std::uint64_t length);

}  // namespace atl::io
