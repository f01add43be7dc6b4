// Two tables of the same columns whose dictionaries differ, as those of what a list is learnt from
// and of what it is to decide.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/rules/table.hpp"
#include "tests/support/random.hpp"

namespace atl::test {

struct TwoTables {
  RandomTable first, second;
  /// Rows of the second by codes of the first and of the second, whose values both have.
  std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> common;
};

/// The dictionary of some of the values, and the code of each value in it, or missing_value.
inline std::pair<Attribute, std::vector<std::uint32_t>> restricted(
    const Attribute& attribute, const std::vector<std::uint32_t>& values) {
  Attribute to;
  to.name = attribute.name;
  to.kind = attribute.kind;
  to.has_missing = std::find(values.begin(), values.end(), missing_value) != values.end();
  std::vector<std::uint32_t> codes(attribute.distinct(), missing_value);
  for (std::uint32_t code = 0; code < attribute.distinct(); ++code) {
    const auto rows = std::count(values.begin(), values.end(), code);
    if (rows == 0) continue;
    codes[code] = static_cast<std::uint32_t>(to.exact_distinct++);
    to.counts.push_back(static_cast<std::uint64_t>(rows));
    if (has_numbers(to.kind))
      to.low.push_back(attribute.low[code]);
    else
      to.labels.push_back(attribute.labels[code]);
  }
  to.high = to.low;
  return {std::move(to), std::move(codes)};
}

/// Odd rows of a random table are the second, and some of the even ones the first.
inline TwoTables two_tables(std::uint64_t seed, std::uint64_t rows, std::uint32_t attributes) {
  const RandomTable all = random_table(seed, rows, attributes, true);
  TwoTables tables;
  std::vector<std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> codes;
  for (std::uint32_t a = 0; a < attributes; ++a) {
    std::vector<std::uint32_t> first, second;
    for (std::uint64_t r = 0; r < rows; ++r) {
      if (r % 2 == 1) second.push_back(all.columns[a][r]);
      if (r % 4 == 0) first.push_back(all.columns[a][r]);
    }
    auto [attribute_1, codes_1] = restricted(all.attributes[a], first);
    auto [attribute_2, codes_2] = restricted(all.attributes[a], second);
    tables.first.attributes.push_back(std::move(attribute_1));
    tables.second.attributes.push_back(std::move(attribute_2));
    codes.emplace_back(std::move(codes_1), std::move(codes_2));
  }
  for (std::uint64_t r = 1; r < rows; r += 2) {
    std::vector<std::uint32_t> in_first, in_second;
    for (std::uint32_t a = 0; a < attributes; ++a) {
      const std::uint32_t value = all.columns[a][r];
      const bool known = value == missing_value ? tables.first.attributes[a].has_missing
                                                : codes[a].first[value] != missing_value;
      if (!known) break;
      in_first.push_back(value == missing_value ? value : codes[a].first[value]);
      in_second.push_back(value == missing_value ? value : codes[a].second[value]);
    }
    if (in_first.size() == attributes) tables.common.emplace_back(in_first, in_second);
  }
  return tables;
}

}  // namespace atl::test
