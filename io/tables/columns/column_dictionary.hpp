// From a column's tokens to its dictionary and coder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/tables/columns/column_coder.hpp"
#include "io/tables/columns/column_profile.hpp"
#include "src/core/files/temporary_file.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

struct ColumnDictionary {
  Attribute attribute;  ///< all but name and role
  ColumnCoder coder;
  std::uint64_t distinct = 0;                 ///< values or labels before any became "other"
  std::string other;                          ///< the label of those that did; empty if none did
  std::vector<std::uint64_t> word_rows = {};  ///< [words without value] rows of numbers or dates
  // Of labels that are numbers or dates all the same.
  std::uint64_t number_rows = 0;          ///< rows with a plain number
  std::uint64_t written_number_rows = 0;  ///< rows with a number written otherwise
  std::uint64_t date_rows = 0;            ///< rows with a date
  std::uint64_t numbers = 0, dates = 0;   ///< distinct labels that are such
  std::uint64_t words = 0;                ///< likewise neither, nor "no value"; 3 of them at most
};

/// Distinct numbers, those of dates, too, ascending. Consumes the profile's tokens.
/// @param words  further tokens without value
/// @pre the reader has a value for each other token that is not missing
ColumnDictionary number_dictionary(ColumnProfile& profile, const ValueReader& reader,
                                   const std::vector<std::string>& words,
                                   const TemporaryFile* spool);
/// Labels by ascending bytes or, if the plan has an order, in that. Of a nominal column only the
/// max_categories most frequent labels stay (ties: smaller bytes first), or those the plan keeps;
/// the others become "other", with as many '_' behind as it takes to be no label of the column.
/// @param max_categories  0 = all
ColumnDictionary label_dictionary(ColumnProfile& profile, const TemporaryFile* spool,
                                  std::uint32_t max_categories);

}  // namespace atl::io
