#pragma once

#include <cstdint>
#include <string>

#include "io/tables/columns/column_dictionary.hpp"
#include "io/tables/columns/column_profile.hpp"
#include "io/tables/columns/schema.hpp"
#include "src/core/files/temporary_file.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

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
