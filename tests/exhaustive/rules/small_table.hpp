// Small tables of labels that are full of what is hard to get right: attributes that repeat others,
// missing values, labels that hold on all rows, rules of equal leverage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/dataset.hpp"
#include "tests/rules/table.hpp"

namespace atl::test {

inline std::string numbered_name(char letter, std::uint32_t number) {
  std::string name(1, letter);
  name += std::to_string(number);
  return name;
}

inline Attribute labels_attribute(std::uint32_t number, std::uint32_t labels,
                                  const std::vector<std::uint32_t>& column) {
  std::vector<std::string> names;
  for (std::uint32_t l = 0; l < labels; ++l) names.push_back(numbered_name('l', l));
  Attribute attribute = nominal(numbered_name('a', number), names);
  attribute.counts.assign(labels, 0);
  for (const std::uint32_t code : column) {
    if (code == missing_value) {
      attribute.has_missing = true;
      ++attribute.missing;
    } else {
      ++attribute.counts[code];
    }
  }
  return attribute;
}

/// @param columns  [attributes][rows]
inline Dataset table_of_labels(const std::vector<std::vector<std::uint32_t>>& columns) {
  std::vector<Attribute> attributes;
  for (std::uint32_t a = 0; a < columns.size(); ++a) {
    std::uint32_t labels = 1;
    for (const std::uint32_t code : columns[a]) {
      if (code != missing_value) labels = std::max(labels, code + 1);
    }
    attributes.push_back(labels_attribute(a, labels, columns[a]));
  }
  return make_dataset(std::move(attributes), columns);
}

/// 3 to 6 attributes, 5 to 60 rows; few labels, so that many rules cover the same rows.
inline std::vector<std::vector<std::uint32_t>> small_columns(std::uint64_t seed) {
  RandomStream draw({seed, 0, 0, 0, Purpose::test});
  const std::uint64_t rows = 5 + draw.below(56);
  const std::uint64_t attributes = 3 + draw.below(4);
  std::vector<std::vector<std::uint32_t>> columns;
  for (std::uint64_t a = 0; a < attributes; ++a) {
    std::vector<std::uint32_t> column(rows);
    const std::uint64_t labels = 1 + draw.below(4);
    const bool copies = a > 0 && draw.chance(0.5);
    const double noise = draw.chance(0.3) ? 0 : 0.4 * draw.next_double();
    const double missing = draw.chance(0.3) ? 0.3 : 0;
    for (std::uint64_t r = 0; r < rows; ++r) {
      column[r] = copies && !draw.chance(noise) ? columns[a - 1][r]
                                                : static_cast<std::uint32_t>(draw.below(labels));
      if (draw.chance(missing)) column[r] = missing_value;
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

inline Dataset small_table(std::uint64_t seed) {
  return table_of_labels(small_columns(seed));
}

/// The same columns, every second one of numbers, or of ordinal labels.
inline Dataset small_ordered_table(std::uint64_t seed) {
  const std::vector<std::vector<std::uint32_t>> columns = small_columns(seed);
  const Dataset labels = table_of_labels(columns);
  std::vector<Attribute> attributes(labels.attributes().begin(), labels.attributes().end());
  for (std::size_t a = 0; a < attributes.size(); a += 2) {
    if ((seed + a) % 4 == 0) {
      attributes[a].kind = AttributeKind::ordinal;
      continue;
    }
    Attribute numbers = numeric(attributes[a].name, {});
    for (std::size_t v = 0; v < attributes[a].labels.size(); ++v) {
      numbers.low.push_back(static_cast<double>(v));
    }
    numbers.high = numbers.low;
    numbers.counts = attributes[a].counts;
    numbers.exact_distinct = numbers.low.size();
    numbers.has_missing = attributes[a].has_missing;
    numbers.missing = attributes[a].missing;
    attributes[a] = std::move(numbers);
  }
  return make_dataset(std::move(attributes), columns);
}

}  // namespace atl::test
