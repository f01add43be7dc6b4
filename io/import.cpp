#include "io/import.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <utility>

#include "io/dataset_file.hpp"
#include "io/first_pass.hpp"
#include "io/import_report.hpp"
#include "io/near_names.hpp"
#include "src/core/error.hpp"
#include "src/data/dataset.hpp"

namespace atl::io {
namespace {

/// A column of the table that becomes an attribute.
struct CodedColumn {
  std::size_t place;  ///< in the table
  ColumnCoder coder;
  std::vector<std::uint32_t> codes;  ///< of the partition being filled
};

/// Rows of a partition: as asked for, or less where its codes would take more than half of the
/// memory limit.
std::uint32_t fitting_partition(const ImportOptions& options, std::uint64_t rows,
                                std::size_t columns) {
  const std::uint64_t row_bytes = columns * sizeof(std::uint32_t);
  if (std::min<std::uint64_t>(rows, options.partition_rows) * row_bytes <=
      options.memory_limit / 2) {
    return options.partition_rows;
  }
  const std::uint64_t granules = options.memory_limit / 2 / row_bytes / partition_granule;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(granules, 1) * partition_granule);
}

/// Cuts the rows into partitions and hands them to the writer.
class PartitionFiller {
 public:
  PartitionFiller(DatasetFileWriter& writer, std::vector<CodedColumn> columns,
                  std::uint64_t partition_rows)
      : writer_(writer), columns_(std::move(columns)), capacity_(partition_rows) {
    for (CodedColumn& column : columns_) column.codes.resize(capacity_);
  }

  void add(const RowBlock& block, std::size_t columns, const std::string& file) {
    for (std::size_t first = 0; first < block.rows;) {
      const std::size_t count = std::min(block.rows - first, capacity_ - filled_);
      for (CodedColumn& column : columns_) {
        column.coder.code(block, column.place, columns, first, count, column.codes.data() + filled_,
                          file);
      }
      first += count;
      filled_ += count;
      rows_ += count;
      if (filled_ == capacity_) flush();
    }
  }

  /// Hands over the last partition. Number of rows in all.
  std::uint64_t finish() {
    if (filled_ > 0) flush();
    return rows_;
  }

 private:
  void flush() {
    std::vector<std::span<const std::uint32_t>> codes;
    for (const CodedColumn& column : columns_) codes.emplace_back(column.codes.data(), filled_);
    writer_.append(filled_, codes);
    filled_ = 0;
  }

  DatasetFileWriter& writer_;
  std::vector<CodedColumn> columns_;
  std::size_t capacity_;
  std::size_t filled_ = 0;
  std::uint64_t rows_ = 0;
};

Schema schema_of(const FirstPass& pass) {
  Schema schema;
  for (const Conclusion& conclusion : pass.columns) schema.columns.push_back(conclusion.column);
  return schema;
}

void refuse_to_overwrite_input(const ImportOptions& options) {
  for (const std::string& input : options.inputs) {
    std::error_code absent;
    if (input != "-" && std::filesystem::equivalent(input, options.output, absent)) {
      throw UsageError("output " + options.output + " is an input, too");
    }
  }
}

}  // namespace

std::string to_text(const ImportSummary& summary) {
  std::map<AttributeKind, std::size_t> of_kind;
  std::size_t left_out = 0;
  for (const Column& column : summary.schema.columns) {
    if (column.role == ColumnRole::ignore) {
      ++left_out;
    } else {
      ++of_kind[*column.kind];
    }
  }
  std::string by_kind;
  for (const auto& [kind, columns] : of_kind) {
    if (!by_kind.empty()) by_kind += ", ";
    by_kind.append(std::to_string(columns)).append(" ").append(to_string(kind));
  }
  std::string text = counted(summary.rows, "row") + ", " +
                     counted(summary.schema.columns.size() - left_out, "attribute") + " (" +
                     by_kind + ")";
  if (left_out > 0) text += ", " + counted(left_out, "column") + " left out";
  return text;
}

Schema infer_schema(const ImportOptions& options, const Report& report) {
  const InputTables tables(options, report);
  const FirstPass pass = run_first_pass(tables, options, report);
  report_columns(pass.columns, tables, report);
  return schema_of(pass);
}

ImportSummary import_tables(const ImportOptions& options, const Report& report) {
  refuse_to_overwrite_input(options);
  const InputTables tables(options, report);
  FirstPass pass = run_first_pass(tables, options, report);
  ImportSummary summary{pass.rows, schema_of(pass)};

  std::vector<Attribute> attributes;
  std::vector<IgnoredColumn> ignored;
  std::vector<CodedColumn> coded;
  for (std::size_t i = 0; i < pass.columns.size(); ++i) {
    Conclusion& column = pass.columns[i];
    if (column.ignored.empty()) {
      attributes.push_back(std::move(column.attribute));
      coded.push_back({i, std::move(column.coder), {}});
    } else {
      ignored.push_back({column.column.name, column.ignored});
    }
  }
  if (attributes.empty()) {
    throw BadData(tables.name(0),
                  "no column is left, ignored " + ignored_columns(pass.columns, true));
  }
  report_columns(pass.columns, tables, report);
  const std::uint32_t partition = fitting_partition(options, pass.rows, coded.size());
  DatasetFileWriter writer(options.output, std::move(attributes), pass.rows, partition,
                           std::move(ignored));
  PartitionFiller filler(writer, std::move(coded), std::min<std::uint64_t>(partition, pass.rows));
  RowBlock block;
  for (std::size_t input = 0; input < tables.size(); ++input) {
    const auto reader = tables.open(input);
    while (reader->next(block)) filler.add(block, tables.columns().size(), tables.name(input));
  }
  if (filler.finish() != pass.rows) throw IoError(tables.name(0), "changed while it was read");
  writer.finish();
  return summary;
}

}  // namespace atl::io
