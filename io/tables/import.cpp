#include "io/tables/import.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "io/tables/columns/inference.hpp"
#include "io/tables/first_pass.hpp"
#include "io/tables/input_tables.hpp"
#include "io/tables/one_hot.hpp"
#include "src/core/error.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/dataset.hpp"

namespace atl::io {
namespace {

void report_labels(const std::vector<Conclusion>& columns, const Report& report) {
  std::size_t warnings = 0;
  for (const Conclusion& column : columns) {
    if (column.warning.empty()) continue;
    if (++warnings <= most_listed) report(Severity::warning, column.warning);
  }
  if (warnings > most_listed) {
    report(Severity::warning, std::to_string(warnings - most_listed) +
                                  " more columns need a look, as most of their values are numbers "
                                  "or dates: see atoll import --print-schema");
  }
}

/// Most columns that are named if they are read otherwise than some expect, not only most_listed.
constexpr std::size_t most_named = 200;

void report_notes(const std::vector<Conclusion>& columns, const Report& report) {
  std::vector<std::string> rest;
  std::size_t notes = 0;
  for (const Conclusion& column : columns) {
    if (column.note.empty()) continue;
    if (++notes <= most_listed) {
      report(Severity::info, column.note);
    } else {
      rest.push_back(in_quotes(column.column.name));
    }
  }
  if (rest.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < rest.size() && i < most_named; ++i)
    names += (i > 0 ? ", " : "") + rest[i];
  if (rest.size() > most_named) {
    names += " and " + std::to_string(rest.size() - most_named) + " more";
  }
  report(Severity::info, "likewise of " + names + ": see atoll import --print-schema");
}

void report_merged(const std::vector<Conclusion>& columns, const Report& report) {
  std::vector<std::string> merged;
  for (const Conclusion& column : columns) {
    // One that is taken for labels by mistake has its own warning.
    if (column.merged && column.warning.empty()) merged.push_back(in_quotes(column.column.name));
  }
  if (merged.empty()) return;
  report(Severity::warning, "of " + listed(merged) +
                                " only the most frequent labels are kept, the others become one "
                                "(atoll import --max-categories)");
}

void report_only_column(const std::vector<Conclusion>& columns, const InputTables& tables,
                        const std::string& options, const Report& report) {
  const Conclusion* only = nullptr;
  for (const Conclusion& column : columns) {
    if (!column.ignored.empty()) continue;
    if (only != nullptr) return;
    only = &column;
  }
  if (only == nullptr) return;
  std::string text =
      tables.name(0) + ": one column only (" + in_quotes(only->column.name) + "); rules need two";
  if (tables.is_csv() && columns.size() == 1)
    text += ": is the delimiter right? (" + options + "delimiter)";
  report(Severity::warning, text);
}

/// "'a' (constant), 'b' (all missing)" of the columns left out by request or not.
std::string ignored_columns(const std::vector<Conclusion>& columns, bool by_request) {
  std::vector<std::string> ignored;
  for (const Conclusion& column : columns) {
    if (column.ignored.empty() || (column.ignored == "by request" && !by_request)) continue;
    ignored.push_back(in_quotes(column.column.name) + " (" + column.ignored + ")");
  }
  return listed(ignored);
}

/// Says what was assumed of how values are written, and warns of what may be wrong with that.
void report_values(const std::vector<Conclusion>& columns, const Report& report) {
  report_labels(columns, report);
  report_notes(columns, report);
}

/// report_values(). Warns of columns that were left out without being asked for, of numbers taken
/// as labels, and if but one column stays.
/// @param options  what the names of options begin with (ImportOptions::option_prefix)
void report_columns(const std::vector<Conclusion>& columns, const InputTables& tables,
                    const std::string& options, const Report& report) {
  report_values(columns, report);
  report_merged(columns, report);
  const std::string ignored = ignored_columns(columns, false);
  if (!ignored.empty()) {
    report(Severity::warning,
           "ignored " + ignored + "; give a column a role in a schema to keep it");
  }
  report_only_column(columns, tables, options, report);
}

/// The columns of the table that become an attribute: one, or a group of one-hot columns.
struct CodedColumns {
  std::vector<PlacedCoder> columns;
  std::vector<std::uint32_t> codes;  ///< of the partition being filled
};

/// Rows of a partition: as asked for, or less where its codes would take more memory. Warns where
/// even the least do.
/// @param memory  bytes for the codes
std::uint32_t fitting_partition(const ImportOptions& options, std::uint64_t memory,
                                std::uint64_t rows, std::size_t columns, const Report& report) {
  const std::uint64_t row_bytes = columns * sizeof(std::uint32_t);
  if (std::min<std::uint64_t>(rows, options.partition_rows) * row_bytes <= memory) {
    return options.partition_rows;
  }
  const std::uint64_t granules = memory / row_bytes / partition_granule;
  if (granules == 0) {
    const std::uint64_t codes = std::min<std::uint64_t>(rows, partition_granule) * row_bytes;
    report(Severity::warning,
           options.output + ": takes about " + std::to_string((codes - memory) >> 20) +
               " MiB more than atoll import --memory-limit: so many columns of " +
               std::to_string(partition_granule) + " rows are the least");
  }
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(granules, 1) * partition_granule);
}

[[noreturn]] void throw_changed(const std::string& file) {
  throw IoError(file, "changed while it was read");
}

/// Cuts the rows into partitions and hands them to the writer.
class PartitionFiller {
 public:
  /// @param rows  in all
  PartitionFiller(DatasetFileWriter& writer, std::vector<CodedColumns> columns,
                  std::uint64_t partition_rows, std::uint64_t rows)
      : writer_(writer),
        columns_(std::move(columns)),
        capacity_(std::min(partition_rows, rows)),
        left_(rows) {
    for (CodedColumns& column : columns_) column.codes.resize(capacity_);
  }

  /// @throws IoError if there are more rows than were told
  void add(const RowBlock& block, std::size_t columns, const std::string& file) {
    if (block.rows > left_) throw_changed(file);
    left_ -= block.rows;
    for (std::size_t first = 0; first < block.rows;) {
      const std::size_t count = std::min(block.rows - first, capacity_ - filled_);
      for (CodedColumns& column : columns_) {
        code_columns(column.columns, block, columns, first, count, column.codes.data() + filled_,
                     file);
      }
      first += count;
      filled_ += count;
      if (filled_ == capacity_) flush();
    }
  }

  /// Hands over the last partition. @throws IoError if there are fewer rows than were told
  void finish(const std::string& file) {
    if (left_ > 0) throw_changed(file);
    if (filled_ > 0) flush();
  }

 private:
  void flush() {
    std::vector<std::span<const std::uint32_t>> codes;
    for (const CodedColumns& column : columns_) codes.emplace_back(column.codes.data(), filled_);
    writer_.append(filled_, codes);
    filled_ = 0;
  }

  DatasetFileWriter& writer_;
  std::vector<CodedColumns> columns_;
  std::size_t capacity_;
  std::size_t filled_ = 0;
  std::uint64_t left_;  // rows
};

/// The content of the table: what becomes of the columns, in their order.
struct TableContent {
  std::vector<Attribute> attributes;
  std::vector<CodedColumns> coded;  ///< [attributes]
  std::vector<IgnoredColumn> ignored;
};

/// Takes dictionaries and coders out of the first pass. A group stands where its first column did.
TableContent content_of(FirstPass& pass, const std::vector<OneHotGroup>& groups) {
  std::vector<const OneHotGroup*> group_of(pass.columns.size(), nullptr);
  for (const OneHotGroup& group : groups) {
    for (const std::size_t i : group.columns) group_of[i] = &group;
  }
  TableContent content;
  std::set<const OneHotGroup*> placed;
  content.attributes.reserve(pass.columns.size());
  content.coded.reserve(pass.columns.size());
  const auto add = [&](Attribute attribute, const std::vector<std::size_t>& columns) {
    content.attributes.push_back(std::move(attribute));
    std::vector<PlacedCoder>& coders = content.coded.emplace_back().columns;
    for (const std::size_t i : columns) coders.push_back({i, std::move(pass.columns[i].coder)});
  };
  for (std::size_t i = 0; i < pass.columns.size(); ++i) {
    Conclusion& column = pass.columns[i];
    if (!column.ignored.empty()) {
      content.ignored.push_back({column.column.name, column.ignored});
    } else if (group_of[i] == nullptr) {
      add(std::move(column.attribute), {i});
    } else if (placed.insert(group_of[i]).second) {
      add(folded(*group_of[i], pass), group_of[i]->columns);
    }
  }
  return content;
}

/// Makes the schema. The conclusions on many columns take much memory; they are gone afterwards.
Schema schema_of(std::vector<Conclusion> columns) {
  Schema schema;
  schema.columns.reserve(columns.size());
  for (Conclusion& conclusion : columns) schema.columns.push_back(std::move(conclusion.column));
  return schema;
}

}  // namespace

std::string to_text(const ImportSummary& summary) {
  std::size_t all = 0;
  std::string by_kind;
  for (const auto& [kind, attributes] : summary.attributes) {
    all += attributes;
    if (!by_kind.empty()) by_kind += ", ";
    by_kind.append(std::to_string(attributes)).append(" ").append(to_string(kind));
  }
  std::string text =
      counted(summary.rows, "row") + ", " + counted(all, "attribute") + " (" + by_kind + ")";
  if (summary.left_out > 0) text += ", " + counted(summary.left_out, "column") + " left out";
  return text;
}

Schema infer_schema(const ImportOptions& options, const Report& report) {
  const InputTables tables(options, report);
  FirstPass pass = run_first_pass(tables, options, report);
  report_columns(pass.columns, tables, options.option_prefix, report);
  return schema_of(std::move(pass.columns));
}

ImportSummary import_tables(const ImportOptions& options, const Report& report) {
  for (const std::string& input : options.inputs) refuse_to_overwrite(input, options.output);
  const InputTables tables(options, report);
  FirstPass pass = run_first_pass(tables, options, report);
  ImportSummary summary{pass.rows, {}, {}, 0};

  std::vector<OneHotGroup> groups;
  if (options.fold_one_hot) groups = find_one_hot_groups(pass, tables, report);
  for (OneHotGroup& group : fold_again(pass, tables, options)) groups.push_back(std::move(group));
  TableContent content = content_of(pass, groups);
  for (const Attribute& attribute : content.attributes) ++summary.attributes[attribute.kind];
  summary.left_out = content.ignored.size();
  if (content.attributes.empty()) {
    throw BadData(tables.name(0),
                  "no column is left, ignored " + ignored_columns(pass.columns, true) +
                      (tables.is_csv() && pass.columns.size() == 1 &&
                               pass.columns.front().ignored == "identifier-like"
                           ? "; is the delimiter right? (" + options.option_prefix + "delimiter)"
                           : ""));
  }
  if (options.only_needed) {
    report_values(pass.columns, report);
  } else {
    report_columns(pass.columns, tables, options.option_prefix, report);
  }
  summary.schema = schema_of(std::move(pass.columns));
  const std::uint32_t partition = fitting_partition(options, memory_for_values(tables, options) / 2,
                                                    summary.rows, content.coded.size(), report);
  DatasetFileWriter writer(options.output, std::move(content.attributes), summary.rows, partition,
                           std::move(content.ignored), options.folder);
  PartitionFiller filler(writer, std::move(content.coded), partition, summary.rows);
  RowBlock block;
  for (std::size_t input = 0; input < tables.size(); ++input) {
    Hasher hasher;
    const auto reader = tables.open(input, &hasher);
    while (reader->next(block)) filler.add(block, tables.columns().size(), tables.name(input));
    if (hasher.digest() != pass.hashes[input]) throw_changed(tables.name(input));
  }
  filler.finish(tables.name(0));
  writer.finish(options.before_output);
  return summary;
}

}  // namespace atl::io
