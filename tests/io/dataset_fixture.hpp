// A small table with every kind of attribute, and the way into a file.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "src/core/random.hpp"
#include "src/data/dataset.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {

using namespace std::string_literals;

struct Table {
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;  ///< [attributes][rows]

  std::vector<std::span<const std::uint32_t>> part(std::uint64_t first, std::uint64_t rows) const {
    std::vector<std::span<const std::uint32_t>> out;
    for (const auto& column : columns) out.push_back(std::span(column).subspan(first, rows));
    return out;
  }
};

/// Fills in counts and missing from the column, dropping nothing: codes may occur zero times.
inline void count(Attribute& attribute, const std::vector<std::uint32_t>& column) {
  attribute.exact_distinct = attribute.distinct();
  attribute.counts.assign(attribute.distinct(), 0);
  for (const std::uint32_t code : column) {
    if (code == missing_code) ++attribute.missing;
    if (code != missing_code) ++attribute.counts[code];
  }
}

inline Attribute make_attribute(const std::string& name, AttributeKind kind, bool has_missing) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  attribute.has_missing = has_missing;
  return attribute;
}

inline Table make_table(std::uint64_t rows, std::uint64_t seed) {
  Table table;
  Attribute number = make_attribute("number", AttributeKind::numeric, true);
  Attribute value = make_attribute("value", AttributeKind::numeric, false);
  Attribute label = make_attribute("label", AttributeKind::nominal, false);
  Attribute rank = make_attribute("Größe, \"quoted\"", AttributeKind::ordinal, true);
  Attribute constant = make_attribute("constant", AttributeKind::nominal, false);
  Attribute empty = make_attribute("nothing", AttributeKind::numeric, true);
  value.role = AttributeRole::target;
  for (int i = 0; i < 300; ++i) number.low.push_back(i * 0.1 - 7);
  for (int i = 0; i < 100; ++i) value.low.push_back(i * 1e300);
  number.high = number.low;
  value.high = value.low;
  label.labels = {"", "a", "a b", "b\"c", "ü"};
  rank.labels = {"small", "medium", "large"};
  constant.labels = {"only"};
  table.attributes = {number, value, label, rank, constant, empty};
  for (std::uint32_t a = 0; a < table.attributes.size(); ++a) {
    Attribute& attribute = table.attributes[a];
    RandomStream stream({.seed = seed, .slot = a});
    std::vector<std::uint32_t> column;
    for (std::uint64_t row = 0; row < rows; ++row) {
      const bool missing =
          attribute.distinct() == 0 || (attribute.has_missing && stream.chance(0.2));
      column.push_back(missing ? missing_code
                               : static_cast<std::uint32_t>(stream.below(attribute.distinct())));
    }
    count(attribute, column);
    table.columns.push_back(std::move(column));
  }
  return table;
}

inline void write_table(const std::string& path, const Table& table, std::uint32_t partition_rows,
                        std::vector<io::IgnoredColumn> ignored = {}) {
  const std::uint64_t rows = table.columns.front().size();
  io::DatasetFileWriter writer(path, table.attributes, rows, partition_rows, std::move(ignored));
  for (std::uint64_t first = 0; first < rows; first += partition_rows) {
    const std::uint64_t count = std::min<std::uint64_t>(partition_rows, rows - first);
    writer.append(count, table.part(first, count));
  }
  writer.finish();
}

}  // namespace atl::test
