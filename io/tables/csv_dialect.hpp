#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/tables/text_source.hpp"
#include "src/core/report.hpp"

namespace atl::io {

struct CsvDialect {
  char delimiter = ',';
  bool header = true;
};

/// What is not given is detected from the start of the text, and what was assumed is reported.
///
/// Delimiter: the first of tab ; | , that splits all of the first 100 rows into the same number of
/// fields, more than one; failing that, the one that gives the first row most fields.
/// Header: the first row's fields are no numbers, nor dates above dates, and either a column with a
/// name holds only numbers or only dates below, or the names differ, none but the very first is
/// empty and none occurs below in its column.
/// @param memory  bytes for all columns (CsvReader)
/// @throws BadCell, BadData, IoError
CsvDialect detect_dialect(const TextInput& input, std::optional<char> delimiter,
                          std::optional<bool> header, std::uint64_t memory, const Report& report);

/// Of `text`, the start of a table; see detect_dialect.
char detect_delimiter(std::string_view text);

}  // namespace atl::io
