// A table whose decision list is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// Four attributes of 16 values; the class follows from the first two by a list of three rules, for
/// 5% of the rows it is drawn.
inline Dataset listed_table(std::uint64_t rows) {
  std::vector<Attribute> attributes;
  for (const char* name : {"a", "b", "c", "d"}) {
    Attribute attribute;
    attribute.name = name;
    for (int i = 0; i < 16; ++i) attribute.low.push_back(i);
    attribute.high = attribute.low;
    attribute.exact_distinct = 16;
    attributes.push_back(attribute);
  }
  Attribute label;
  label.name = "class";
  label.kind = AttributeKind::nominal;
  label.labels = {"x", "y", "z"};
  label.exact_distinct = 3;
  attributes.push_back(label);
  RandomStream stream({11, 0, 0, 0, Purpose::test});
  std::vector<std::vector<std::uint32_t>> columns(5);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::size_t a = 0; a < 4; ++a) {
      columns[a].push_back(static_cast<std::uint32_t>(stream.below(16)));
    }
    const std::uint32_t a = columns[0].back(), b = columns[1].back();
    std::uint32_t its = a <= 3 ? 0 : b > 11 ? 1 : a > 9 && b <= 5 ? 0 : 2;
    if (stream.chance(0.05)) its = static_cast<std::uint32_t>(stream.below(3));
    columns[4].push_back(its);
  }
  return make_dataset(attributes, columns);
}

}  // namespace atl
