#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/import.hpp"
#include "io/tables/text/text_source.hpp"
#include "src/core/hash.hpp"

namespace atl::io {

/// The inputs of one import, which are one table cut into files; each can be read several times.
class InputTables {
 public:
  /// Opens all, spooling what can be read only once, and detects the first one's format, delimiter
  /// and whether it has names, which hold for all.
  /// @throws MissingInput, BadData, BadCell, UsageError, CannotCreate, IoError
  InputTables(const ImportOptions& options, const Report& report);

  std::size_t size() const noexcept { return inputs_.size(); }
  const std::string& name(std::size_t input) const noexcept { return inputs_[input]->name(); }
  /// A reader at the start of an input.
  /// @param hasher  is given all of the text as it is read; outlives the reader, may be null
  /// @throws BadData if its columns are not those of the first
  std::unique_ptr<TableReader> open(std::size_t input, Hasher* hasher = nullptr) const;
  bool is_csv() const noexcept { return csv_; }  ///< else ARFF or KEEL
  const std::vector<DeclaredColumn>& columns() const noexcept { return columns_; }

 private:
  std::unique_ptr<TableReader> reader(std::size_t input, Hasher* hasher = nullptr) const;
  CsvDialect further_dialect(const TextInput& input, const ImportOptions& options) const;

  std::vector<std::shared_ptr<const TextInput>> inputs_;
  std::uint64_t memory_;  // for columns: those of a wider table are not even listed
  bool csv_ = true;
  std::vector<CsvDialect> dialects_;  ///< [inputs] of CSV
  std::vector<DeclaredColumn> columns_;
};

/// Where an import keeps its temporary files.
std::string temporary_folder(const ImportOptions& options);

}  // namespace atl::io
