#include "src/generate/write_table.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/hdf5/dataset_file.hpp"
#include "src/core/error.hpp"
#include "src/core/number.hpp"
#include "src/data/dataset.hpp"

namespace atl {
namespace {

constexpr std::uint32_t table_partition_rows = 65536;

/// Text of each code of an attribute. Generated names and labels need no quotes.
std::vector<std::string> texts(const Attribute& attribute) {
  if (attribute.kind != AttributeKind::numeric) return attribute.labels;
  std::vector<std::string> numbers;
  for (const double value : attribute.low) numbers.push_back(format_number(value));
  return numbers;
}

void write_csv(const RowSource& source, std::uint64_t rows, const std::string& path,
               const RowVisitor& visit) {
  io::AtomicFile file(path);
  const auto attributes = source.attributes();
  std::vector<std::vector<std::string>> cells;
  std::string buffer;
  for (const Attribute& attribute : attributes) {
    cells.push_back(texts(attribute));
    buffer += attribute.name + ',';
  }
  buffer.back() = '\n';
  const auto flush = [&] {
    file.append(std::as_bytes(std::span(buffer)));
    buffer.clear();
  };

  std::vector<std::uint32_t> codes(attributes.size());
  for (std::uint64_t row = 0; row < rows; ++row) {
    source.make_row(row, codes);
    visit(codes);
    for (std::size_t a = 0; a < codes.size(); ++a) {
      if (codes[a] != missing_code) buffer += cells[a][codes[a]];
      buffer += ',';
    }
    buffer.back() = '\n';
    if (buffer.size() >= std::size_t{1} << 20) flush();
  }
  flush();
  file.commit();
}

/// An attribute of what can occur, reduced to what does occur.
struct OccurringAttribute {
  Attribute attribute;
  std::vector<std::uint32_t> code_of;  ///< by code of the source
};

OccurringAttribute reduce(const Attribute& possible, const std::vector<std::uint64_t>& counts,
                          std::uint64_t rows) {
  OccurringAttribute result{possible, std::vector<std::uint32_t>(counts.size())};
  Attribute& attribute = result.attribute;
  attribute.low.clear();
  attribute.labels.clear();
  attribute.missing = rows;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    if (counts[code] == 0) continue;
    result.code_of[code] = static_cast<std::uint32_t>(attribute.counts.size());
    attribute.counts.push_back(counts[code]);
    attribute.missing -= counts[code];
    if (attribute.kind == AttributeKind::numeric) {
      attribute.low.push_back(possible.low[code]);
    } else {
      attribute.labels.push_back(possible.labels[code]);
    }
  }
  attribute.high = attribute.low;
  attribute.exact_distinct = attribute.counts.size();
  attribute.has_missing = attribute.missing > 0;
  return result;
}

void write_dataset(const RowSource& source, std::uint64_t rows, const std::string& path,
                   const RowVisitor& visit) {
  // First pass: what occurs, and how often.
  const auto attributes = source.attributes();
  std::vector<std::vector<std::uint64_t>> counts;
  for (const Attribute& attribute : attributes) counts.emplace_back(attribute.distinct());
  std::vector<std::uint32_t> codes(attributes.size());
  for (std::uint64_t row = 0; row < rows; ++row) {
    source.make_row(row, codes);
    visit(codes);
    for (std::size_t a = 0; a < codes.size(); ++a) {
      if (codes[a] != missing_code) ++counts[a][codes[a]];
    }
  }

  std::vector<Attribute> kept;
  std::vector<io::IgnoredColumn> ignored;
  std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>> columns;  // of the source, codes
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    OccurringAttribute occurring = reduce(attributes[a], counts[a], rows);
    if (occurring.attribute.distinct() >= 2) {
      kept.push_back(std::move(occurring.attribute));
      columns.emplace_back(a, std::move(occurring.code_of));
    } else {
      const bool empty = occurring.attribute.distinct() == 0;
      ignored.push_back({attributes[a].name, empty ? "all missing" : "constant"});
    }
  }
  if (kept.empty()) {
    throw UsageError("--rows " + std::to_string(rows) + ": every attribute is constant in so few");
  }

  io::DatasetFileWriter writer(path, std::move(kept), rows, table_partition_rows,
                               std::move(ignored));
  std::vector<std::vector<std::uint32_t>> buffers(columns.size());
  for (std::uint64_t first = 0; first < rows; first += table_partition_rows) {
    const std::uint64_t last = std::min(rows, first + table_partition_rows);
    for (auto& buffer : buffers) buffer.clear();
    for (std::uint64_t row = first; row < last; ++row) {
      source.make_row(row, codes);
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::uint32_t code = codes[columns[c].first];
        buffers[c].push_back(code == missing_code ? code : columns[c].second[code]);
      }
    }
    const std::vector<std::span<const std::uint32_t>> spans(buffers.begin(), buffers.end());
    writer.append(last - first, spans);
  }
  writer.finish();
}

}  // namespace

void check_table_name(const std::string& path) {
  if (!path.ends_with(".csv") && !path.ends_with(".h5")) {
    throw UsageError("-o " + printable(path) + ": expected a name that ends in .csv or .h5");
  }
}

void write_table(const RowSource& source, std::uint64_t rows, const std::string& path,
                 const RowVisitor& visit) {
  check_table_name(path);
  const auto write = path.ends_with(".csv") ? write_csv : write_dataset;
  write(source, rows, path, visit);
}

}  // namespace atl
