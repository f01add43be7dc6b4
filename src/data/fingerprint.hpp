// Content hash of a dataset, independent of how it was read, partitioned or sharded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/core/hash.hpp"
#include "src/data/attribute.hpp"

namespace atl {

/// Takes the rows of all attributes in order, in runs of any length. The result is XXH3-128 over
/// number of rows, each attribute's kind, name and dictionary, then each attribute's XXH3-128 of
/// its codes (u32 little-endian in row order, missing as missing_code). io/FORMAT.md has the bytes.
class FingerprintBuilder {
 public:
  explicit FingerprintBuilder(std::size_t attributes);
  /// The next codes of one attribute.
  void add(std::size_t attribute, std::span<const std::uint32_t> codes);
  /// @param attributes  with the exact dictionaries, before any binning
  Fingerprint finish(std::uint64_t rows, std::span<const Attribute> attributes) const;

 private:
  std::vector<Hasher> columns_;
};

}  // namespace atl
