#pragma once

#include <cstdint>
#include <string>

#include "io/tables/columns/column_dictionary.hpp"
#include "io/tables/columns/column_profile.hpp"
#include "io/tables/columns/schema.hpp"
#include "src/core/files/temporary_file.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

/// The plan's kind, or what all values are. @throws BadCell as DateEvidence::kind
AttributeKind kind_of(const ColumnProfile& profile);

/// Are they labels only since all are written as 10E1 and 1E2 are, and two of them are the same
/// number, as programs that write numbers never do? Plates and samples have such names.
/// @pre the profile has its tokens still
bool are_exponent_codes(const ColumnProfile& profile);

/// Is it a column of numbers that was taken for labels, but for how they are written, for one or
/// two words, or for a tenth of the rows?
/// @param present  rows with a value
bool mostly_numbers(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                    std::uint64_t present);
/// Is it likewise a column of dates?
bool mostly_dates(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                  std::uint64_t present);

/// May it be an identifier of the rows, as conclude() has it?
bool like_identifier(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                     std::uint64_t present);

/// The conclusion on a column.
struct Conclusion {
  Column column;        ///< with the reason
  std::string warning;  ///< what the user should check; empty if nothing
  std::string note;     ///< what was assumed of how values are written; empty if nothing
  std::string ignored;  ///< why it is left out; empty if it stays
  bool merged = false;  ///< there are too many labels: only the most frequent are kept
  Attribute attribute;  ///< complete, if the column stays
  ColumnCoder coder;    ///< likewise
};

/// Decides from what the first pass saw; consumes the profile's dictionary.
///
/// A kind of dates: all values are dates in ISO 8601 (parse_date). Numeric: all values are finite
/// numbers (NumberEvidence, which words without value and ways of writing are told by), unless all
/// are integers and some lies beyond 2^53, or some integer has a leading zero. Else nominal; with a
/// warning if at least 90% of the rows that have a value have a date, or a number, or all but one
/// or two labels are numbers, and no integer has a leading zero. Left out unless the
/// plan gives them a role: constant columns (one value, none missing) and identifier-like ones,
/// both from 20 values on the latter: nominal with at least 95% distinct labels, unless warned of
/// or named by the user; integers, all different, that ascend or descend from row to row or fill a
/// range without gaps. A column without any value is always left out.
/// @throws BadCell if all values are dates, but not of one kind, or one has a flaw (DateEvidence),
///         and if values are no numbers though the plan says so
/// @param rows            of the table
/// @param spool           where the profile spilled to; may be null if it did not
/// @param max_categories  labels kept of a nominal column, 0 = all; see ImportOptions
Conclusion conclude(ColumnProfile&& profile, std::uint64_t rows, const TemporaryFile* spool,
                    std::uint32_t max_categories);

}  // namespace atl::io
