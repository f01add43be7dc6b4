#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/csv/csv_sample.hpp"
#include "io/tables/text/text_source.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// Where a row of names has not as many fields as the rows below.
enum class NamesShape : std::uint8_t {
  fitting,    ///< it has
  row_names,  ///< one fewer: the first column has no name, as R writes names of rows
  open_end,   ///< one fewer: the last column, which is empty, has no name
  closed,     ///< one more, which is empty
};

/// How a text of CSV is written.
struct CsvDialect {
  char delimiter = ',';
  bool header = true;  ///< the first row has the names
  char quote = '"';
  std::uint64_t skipped = 0;  ///< lines above the table
  bool commented = false;     ///< a '#' stands before the names
  NamesShape names = NamesShape::fitting;
  bool proven = true;  ///< there are names without a doubt, and not all are numbers
};

/// What is known beforehand.
struct DialectHints {
  std::optional<char> delimiter = {};
  std::optional<bool> header = {};
  std::vector<std::string> names = {};  ///< that columns should have
  std::string options = "--";           ///< what the names of options begin with in messages
};

/// What is not given is detected from the start of the text, and what was assumed is reported.
///
/// Lines above the table: "sep=;" as Excel writes it, comments that begin with '#', and lines with
/// nothing behind their first field, where all rows below have more.
/// Delimiter: the first of tab ; | , that splits all of the first 100 rows into the same number of
/// fields, two columns with a value at least; failing that, all but lines above the table or the
/// names (NamesShape); failing that, the one that gives the first row most fields. A blank where
/// text would follow closing quotes otherwise, and it splits evenly.
/// Quotes: single ones where all fields that begin with one are well quoted, and none has others.
/// Names: header_verdict(). A comment right above the table has them if it has as many fields and
/// the first row is not proven to have them.
/// @throws BadCell for a text that cannot be read as CSV, with what to do; IoError
CsvDialect detect_dialect(const TextInput& input, const DialectHints& hints, const Report& report);
/// Likewise of the start of a text. @param name  the file's, for messages
CsvDialect detect_dialect(TextSample start, const std::string& name, const DialectHints& hints,
                          const Report& report);

/// "column_3": what a column without a name is called. @param number  from 1
std::string numbered_name(std::size_t number);
/// Is it that of one of so many columns?
bool is_numbered_name(std::string_view name, std::size_t columns);

}  // namespace atl::io
