#include "src/generate/write_table.hpp"

#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/data/dataset.hpp"

namespace atl {
namespace {

/// Text of each code of an attribute. Generated names and labels need no quotes.
std::vector<std::string> texts(const Attribute& attribute) {
  if (attribute.kind != AttributeKind::numeric) return attribute.labels;
  std::vector<std::string> numbers;
  for (const double value : attribute.low) numbers.push_back(format_number(value));
  return numbers;
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

/// An attribute that is kept, where it comes from, and where its planes lie in a block.
struct KeptColumn {
  std::size_t attribute = 0;           ///< of the source
  std::vector<std::uint32_t> code_of;  ///< by code of the source
  PlaneLayout slice;                   ///< of a slice's planes
  std::size_t first_plane = 0;
};

class DatasetForm final : public TableForm {
 public:
  /// @param words  of a plane
  DatasetForm(const RowSource& source, std::vector<KeptColumn> columns, std::size_t words)
      : source_(source), columns_(std::move(columns)), words_(words) {
    planes_ = columns_.back().first_plane + columns_.back().slice.count();
  }

  std::size_t block_bytes() const override { return planes_ * words_ * sizeof(std::uint64_t); }
  std::vector<Bytes> empty_parts(std::uint64_t) const override { return {Bytes(block_bytes())}; }
  void make(RowRange slice, unsigned, Block& block) const override {
    const std::vector<std::uint32_t> codes = codes_of(slice);
    const std::size_t first_word = (slice.first - block.rows.first) / 64;
    std::vector<std::uint64_t> planes;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const PlaneLayout& layout = columns_[c].slice;
      planes.resize(layout.size());
      codes_to_planes(std::span(codes).subspan(c * slice_rows, slice.size()), layout, planes);
      for (std::uint32_t plane = 0; plane < layout.count(); ++plane) {
        const std::size_t to = (columns_[c].first_plane + plane) * words_ + first_word;
        std::memcpy(block.parts.front().data() + to * sizeof(std::uint64_t),
                    planes.data() + plane * layout.stride,
                    words_for(slice.size()) * sizeof(std::uint64_t));
      }
    }
  }

 private:
  /// [columns][slice_rows]
  std::vector<std::uint32_t> codes_of(RowRange slice) const {
    std::vector<std::uint32_t> codes(columns_.size() * slice_rows);
    std::vector<std::uint32_t> of_row(source_.attributes().size());
    for (std::uint64_t row = slice.first; row < slice.last; ++row) {
      source_.make_row(row, of_row);
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::uint32_t code = of_row[columns_[c].attribute];
        codes[c * slice_rows + (row - slice.first)] =
            code == missing_code ? code : columns_[c].code_of[code];
      }
    }
    return codes;
  }

  const RowSource& source_;
  std::vector<KeptColumn> columns_;
  std::size_t words_;
  std::size_t planes_ = 0;
};

/// Counts how often each code of the source occurs. [attributes][codes]
std::vector<std::vector<std::uint64_t>> count_codes(const RowSource& source, std::uint64_t rows,
                                                    const RowVisitor& visit, const Makers& makers) {
  std::vector<std::size_t> first;  // of each attribute
  std::size_t all = 0;
  for (const Attribute& attribute : source.attributes()) {
    first.push_back(all);
    all += attribute.distinct();
  }
  std::vector<std::vector<std::uint64_t>> counts(makers.threads);
  for_own_slices(rows, makers, [&](RowRange slice, unsigned worker) {
    std::vector<std::uint64_t>& mine = counts[worker];
    mine.resize(all);
    std::vector<std::uint32_t> codes(first.size());
    for (std::uint64_t row = slice.first; row < slice.last; ++row) {
      source.make_row(row, codes);
      if (visit) visit(codes, worker);
      for (std::size_t a = 0; a < codes.size(); ++a) {
        if (codes[a] != missing_code) ++mine[first[a] + codes[a]];
      }
    }
  });
  std::vector<std::uint64_t> sum(all);
  for (const auto& mine : counts) {
    for (std::size_t i = 0; i < mine.size(); ++i) sum[i] += mine[i];
  }
  makers.communicator.all_reduce_sum(sum);

  std::vector<std::vector<std::uint64_t>> result;
  for (std::size_t a = 0; a < first.size(); ++a) {
    const auto begin = sum.begin() + static_cast<std::ptrdiff_t>(first[a]);
    result.emplace_back(begin, begin + source.attributes()[a].distinct());
  }
  return result;
}

}  // namespace

io::Schema schema_of(const RowSource& source) {
  io::Schema schema;
  for (const Attribute& attribute : source.attributes()) {
    io::Column column;
    column.name = attribute.name;
    column.kind = attribute.kind;
    column.missing = {""};
    if (attribute.kind == AttributeKind::ordinal) column.order = attribute.labels;
    column.reason = "as generated";
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

Lines table_lines(const RowSource& source, RowVisitor visit) {
  std::vector<std::vector<std::string>> cells;
  Lines lines;
  for (const Attribute& attribute : source.attributes()) {
    cells.push_back(texts(attribute));
    lines.header += attribute.name + ',';
  }
  lines.header.back() = '\n';
  lines.row_bytes = cells.size() * 8;
  lines.make = [&source, cells = std::move(cells), visit = std::move(visit)](
                   RowRange slice, unsigned worker, std::string& text) {
    std::vector<std::uint32_t> codes(cells.size());
    for (std::uint64_t row = slice.first; row < slice.last; ++row) {
      source.make_row(row, codes);
      if (visit) visit(codes, worker);
      for (std::size_t a = 0; a < codes.size(); ++a) {
        if (codes[a] != missing_code) text += cells[a][codes[a]];
        text += ',';
      }
      text.back() = '\n';
    }
  };
  return lines;
}

void write_dataset(const RowSource& source, std::uint64_t rows, const std::string& path,
                   const RowVisitor& visit, const Makers& makers) {
  const auto attributes = source.attributes();
  const auto counts = count_codes(source, rows, visit, makers);
  std::vector<Attribute> kept;
  std::vector<io::IgnoredColumn> ignored;
  std::vector<KeptColumn> columns;
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    OccurringAttribute occurring = reduce(attributes[a], counts[a], rows);
    if (occurring.attribute.distinct() >= 2) {
      const std::size_t first =
          columns.empty() ? 0 : columns.back().first_plane + columns.back().slice.count();
      columns.push_back(
          {a,
           std::move(occurring.code_of),
           {occurring.attribute.planes(), occurring.attribute.has_missing, words_for(slice_rows)},
           first});
      kept.push_back(std::move(occurring.attribute));
    } else {
      const bool empty = occurring.attribute.distinct() == 0;
      ignored.push_back({attributes[a].name, empty ? "all missing" : "constant"});
    }
  }
  if (kept.empty()) {
    throw UsageError("--rows " + std::to_string(rows) + ": every attribute is constant in so few");
  }
  const DatasetForm form(source, std::move(columns), io::planes_extent(rows, block_rows, kept)[2]);
  std::optional<io::DatasetFileWriter> writer;  // of rank 0
  on_root(makers.communicator,
          [&] { writer.emplace(path, std::move(kept), rows, block_rows, std::move(ignored)); });
  stream_blocks(
      rows, form, [&](const Bytes& block, ThreadPool& pool) { writer->append_planes(block, pool); },
      makers);
  on_root(makers.communicator, [&] { writer->finish(); });
}

void check_table_name(const std::string& path) {
  if (!path.ends_with(".csv") && !path.ends_with(".h5")) {
    throw UsageError("-o " + printable(path) + ": expected a name that ends in .csv or .h5");
  }
}

}  // namespace atl
