#pragma once

#include <cstdint>
#include <span>
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

/// Says whether a row holds the names of the columns.
enum class HeaderVerdict : std::uint8_t {
  proven,  ///< names: what stands below tells
  likely,  ///< names, as nothing speaks for data
  data,
};

/// Decides by what stands below, in this order:
/// - `known` names: one that stands there proves names, and so does numbered_name() of an empty
/// one.
/// - Quotes around all of its fields, and around some of those in each row below at most, prove
///   names.
/// - What is no number above a column of numbers proves names, and so does what is no date above
///   dates, and nothing above a column that counts rows from 0 or 1.
/// - Three numbers or more that count up from 0, or ten from 1, are names.
/// - Known names that are all numbered_name() speak for data.
/// - A word that comes again in its own column speaks for data, and so does a date above dates.
/// - A word that does not, above ten values or more of which each comes again, proves names.
/// - A number that comes again in its own column speaks for data.
/// - A row all of numbers is names only if it counts up from 0 or 1, or has years above what are
///   no years.
/// - Anything else is likely names.
/// Numbers are those of is_written_number(). What means "no value" tells nothing.
HeaderVerdict header_verdict(const SampleRow& row, std::span<const SampleRow> below,
                             const std::vector<std::string>& known);

}  // namespace atl::io
