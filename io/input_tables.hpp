#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/csv_dialect.hpp"
#include "io/import.hpp"
#include "io/table_reader.hpp"
#include "io/text_source.hpp"

namespace atl::io {

/// The inputs of one import, which are one table cut into files; each can be read several times.
class InputTables {
 public:
  /// Opens all, spooling what can be read only once, and detects the first one's format and
  /// dialect, which hold for all.
  /// @throws MissingInput, BadData, BadCell, UsageError, CannotCreate, IoError
  InputTables(const ImportOptions& options, const Report& report);

  std::size_t size() const noexcept { return inputs_.size(); }
  const std::string& name(std::size_t input) const noexcept { return inputs_[input].name(); }
  /// A reader at the start of an input.
  /// @throws BadData if its columns are not those of the first
  std::unique_ptr<TableReader> open(std::size_t input) const;
  bool is_csv() const noexcept { return csv_; }  ///< else ARFF or KEEL
  const std::vector<DeclaredColumn>& columns() const noexcept { return columns_; }

 private:
  std::unique_ptr<TableReader> reader(std::size_t input) const;

  std::vector<TextInput> inputs_;
  bool csv_ = true;
  CsvDialect dialect_;
  std::vector<DeclaredColumn> columns_;
};

/// Where an import keeps its temporary files.
std::string temporary_folder(const ImportOptions& options);

}  // namespace atl::io
