#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/core/row_hash.hpp"
#include "src/data/dataset.hpp"

namespace atl::test {

/// A table of few rows and many attributes of numbers that look random; the first one is 0 or 1.
inline Dataset wide_table(std::size_t rows, std::uint32_t attributes) {
  std::vector<Attribute> all;
  std::vector<std::vector<std::uint32_t>> codes;
  for (std::uint32_t a = 0; a < attributes; ++a) {
    const std::uint32_t distinct = a == 0 ? 2 : 2 + a % 300;
    Attribute attribute;
    attribute.name = "c" + std::to_string(a);
    for (std::uint32_t code = 0; code < distinct; ++code) attribute.low.push_back(code);
    attribute.high = attribute.low;
    all.push_back(std::move(attribute));
    codes.emplace_back();
    for (std::uint64_t row = 0; row < rows; ++row)
      codes.back().push_back(static_cast<std::uint32_t>(row_hash(row * attributes + a) % distinct));
  }
  return make_dataset(std::move(all), codes);
}

}  // namespace atl::test
