#include "io/tables/input_tables.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "io/tables/arff/arff_reader.hpp"
#include "io/tables/csv/csv_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

/// Hashes what is read.
class HashedSource : public TextSource {
 public:
  HashedSource(std::unique_ptr<TextSource> source, Hasher& hasher)
      : source_(std::move(source)), hasher_(hasher) {}
  std::size_t read(char* into, std::size_t capacity) override {
    const std::size_t got = source_->read(into, capacity);
    hasher_.update(std::as_bytes(std::span(into, got)));
    return got;
  }

 private:
  std::unique_ptr<TextSource> source_;
  Hasher& hasher_;
};

/// The hints, with all names of columns that the user has told, or a run knows.
DialectHints hints_of(const ImportOptions& options) {
  DialectHints hints{options.delimiter, options.header, options.kept, options.option_prefix};
  const auto add = [&](const std::string& name) { hints.names.push_back(name); };
  for (const NeededColumn& column : options.needed) add(column.name);
  for (const std::string& name : options.nominal) add(name);
  for (const std::string& name : options.ignore) add(name);
  for (const std::string& name : options.excluded) add(name);
  if (!options.target.empty()) add(options.target);
  if (options.schema) {
    for (const Column& column : options.schema->columns) add(column.name);
  }
  return hints;
}

}  // namespace

// Somewhat wider tables are listed, to say how much memory they take.
InputTables::InputTables(const ImportOptions& options, const Report& report)
    : memory_(2 * options.memory_limit) {
  if (options.inputs.empty()) throw UsageError("no input given");
  if (std::count(options.inputs.begin(), options.inputs.end(), "-") > 1) {
    throw UsageError("standard input ('-') can be given only once");
  }
  if (options.delimiter && (*options.delimiter == '"' || *options.delimiter == '\n' ||
                            *options.delimiter == '\r' || *options.delimiter == '\0')) {
    throw UsageError("the delimiter can be no quote, line end or NUL");
  }
  if (options.opened) {
    inputs_.push_back(options.opened);
  } else {
    for (const std::string& path : options.inputs) {
      inputs_.push_back(
          std::make_shared<TextInput>(path, temporary_folder(options), options.encoding));
    }
  }
  for (const auto& input : inputs_) input->tell(report);
  csv_ = options.format == TextFormat::csv ||
         (options.format == TextFormat::automatic && !looks_like_arff(*inputs_.front()->open()));
  if (csv_) dialects_.push_back(detect_dialect(*inputs_.front(), hints_of(options), report));
  columns_ = reader(0)->columns();
  while (csv_ && dialects_.size() < inputs_.size()) {
    dialects_.push_back(further_dialect(*inputs_[dialects_.size()], options));
  }
}

/// The dialect of a further text: as the first one, but for what stands above the table.
CsvDialect InputTables::further_dialect(const TextInput& input,
                                        const ImportOptions& options) const {
  const CsvDialect& first = dialects_.front();
  DialectHints hints{first.delimiter, options.header, {}, options.option_prefix};
  if (!options.header && first.header) {
    hints.header = true;
    for (const DeclaredColumn& column : columns_) hints.names.push_back(column.name);
  }
  const auto silent = [](Severity, const std::string&) {};
  CsvDialect dialect = detect_dialect(input, hints, silent);
  if (hints.header) return dialect;
  if (dialect.header && dialect.proven) {
    throw BadData(input.name(), "has names of columns above its rows, and " + name(0) +
                                    " has none: --header or --no-header says what both have");
  }
  dialect.header = false;
  return dialect;
}

std::unique_ptr<TableReader> InputTables::reader(std::size_t input, Hasher* hasher) const {
  const std::string& name = inputs_[input]->name();
  std::unique_ptr<TextSource> text = inputs_[input]->open();
  if (hasher != nullptr) text = std::make_unique<HashedSource>(std::move(text), *hasher);
  if (!csv_) return std::make_unique<ArffReader>(std::move(text), name, memory_);
  return std::make_unique<CsvReader>(std::move(text), name, dialects_[input], memory_);
}

std::unique_ptr<TableReader> InputTables::open(std::size_t input, Hasher* hasher) const {
  std::unique_ptr<TableReader> opened = reader(input, hasher);
  const std::vector<DeclaredColumn>& columns = opened->columns();
  const std::string as_first = ", as in " + name(0);
  if (columns.size() != columns_.size()) {
    throw BadData(name(input), "has " + counted(columns.size(), "column") + ", expected " +
                                   std::to_string(columns_.size()) + as_first);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != columns_[i].name) {
      throw BadData(name(input), "column " + std::to_string(i + 1) + " is " +
                                     in_quotes(columns[i].name) + ", expected " +
                                     in_quotes(columns_[i].name) + as_first);
    }
    if (columns[i].kind != columns_[i].kind || columns[i].labels != columns_[i].labels ||
        columns[i].format != columns_[i].format) {
      throw BadData(name(input), "column " + in_quotes(columns[i].name) +
                                     " is declared otherwise, expected the type" + as_first);
    }
  }
  return opened;
}

std::string temporary_folder(const ImportOptions& options) {
  if (!options.temporary_folder.empty()) return options.temporary_folder;
  if (options.output.empty()) return std::filesystem::temp_directory_path().string();
  const std::string folder = std::filesystem::path(options.output).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace atl::io
