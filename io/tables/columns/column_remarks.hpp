// What is said of a column, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/tables/columns/column_dictionary.hpp"
#include "io/tables/columns/column_profile.hpp"

namespace atl::io {

/// How numbers are written, as "read as numbers" may be followed by it; empty: plainly.
std::string in_words(const NumberForm& form, const NumberEvidence& numbers);

/// Why the column is of its kind, with what it holds.
/// @param form  in_words()
std::string reason_of(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                      const std::string& form, std::uint32_t max_categories);

/// Of a column of mostly_numbers() or mostly_dates(), or of are_exponent_codes().
/// @param present  rows with a value
std::string taken_as_labels(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                            std::uint64_t present);

/// What was decided of numbers or dates that not everybody would write so; empty: nothing.
/// @param words  that mean no value beside them
std::string note_of(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                    const std::vector<std::string>& words, const std::string& form);

/// Of NumberEvidence::has_likely_mark().
std::string taken_as_likely(const ColumnProfile& profile);

/// Of numbers with another sign than in a run's data.
std::string has_other_sign(const ColumnProfile& profile, const NumberForm& form);

/// Of NumberEvidence::points_may_group().
std::string points_taken_as_decimal(const ColumnProfile& profile);

}  // namespace atl::io
