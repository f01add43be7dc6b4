#pragma once

#include <cstdint>

#include "io/tables/columns/column_dictionary.hpp"
#include "io/tables/columns/column_profile.hpp"
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
/// Likewise of dates.
bool mostly_dates(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                  std::uint64_t present);

/// May it be an identifier of the rows, as conclude() has it?
bool like_identifier(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                     std::uint64_t present);

}  // namespace atl::io
