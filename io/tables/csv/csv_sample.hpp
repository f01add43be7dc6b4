#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// The start of a text.
struct TextSample {
  std::string text;    ///< without a byte order mark
  bool whole = false;  ///< there is no more
};

/// Enough of a text to see how its rows are written: 256 KiB, or up to 4 MiB where lines are long.
TextSample sample_of(TextSource& source);

/// A row as CsvReader would split it, but for what is escaped in quotes.
struct SampleRow {
  std::uint64_t line = 0;                ///< where it begins, from 1
  std::vector<std::string_view> fields;  ///< without quotes and the blanks around
  bool first_quoted = false;             ///< its first field was in quotes
  std::size_t quoted = 0;                ///< fields that were
};

struct SampleRows {
  std::vector<SampleRow>
      rows;  ///< blank lines are no rows; the last one, if it is cut off, only if alone
  std::size_t quoted = 0;   ///< fields in quotes
  bool well_quoted = true;  ///< all of these end where their quotes do
};

/// The first rows of a sample from a line on.
/// @param line  number of the line where `text` begins
SampleRows sample_rows(std::string_view text, bool whole, std::uint64_t line, char delimiter,
                       char quote);

}  // namespace atl::io
