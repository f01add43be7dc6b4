// Remarks on a column, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/tables/columns/column_dictionary.hpp"
#include "io/tables/columns/column_profile.hpp"

namespace atl::io {

/// Words on how numbers are written, to follow "read as numbers"; empty: plainly.
std::string in_words(const NumberForm& form, const NumberEvidence& numbers);

/// The reason why the column is of its kind, with what it holds.
/// @param form  in_words()
std::string reason_of(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                      const std::string& form, std::uint32_t max_categories);

/// The remark on a column of mostly_numbers() or mostly_dates(), or of are_exponent_codes().
/// @param present  rows with a value
std::string taken_as_labels(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                            std::uint64_t present);

/// The decision on numbers or dates that not everybody would write so; empty: there are none.
/// @param words  that mean no value beside them
std::string note_of(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                    const std::vector<std::string>& words, const std::string& form);

/// The remark on NumberEvidence::has_likely_mark().
std::string taken_as_likely(const ColumnProfile& profile);

/// The remark on numbers with another sign than in a run's data.
std::string has_other_sign(const ColumnProfile& profile, const NumberForm& form);

/// The remark on NumberEvidence::points_may_group().
std::string points_taken_as_decimal(const ColumnProfile& profile);

}  // namespace atl::io
