#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/data/attribute.hpp"

namespace atl {

/// A table whose rows are computed, each from its index alone: the first rows of a longer table are
/// the shorter one, and rows can be made twice instead of being kept.
class RowSource {
 public:
  virtual ~RowSource() = default;

  /// All that can occur: dictionaries complete, numeric low = high, has_missing set; counts empty.
  std::span<const Attribute> attributes() const noexcept { return attributes_; }

  /// @param codes  [attributes] overwritten; missing_code where there is no value
  virtual void make_row(std::uint64_t row, std::span<std::uint32_t> codes) const = 0;

 protected:
  std::vector<Attribute> attributes_;
};

}  // namespace atl
