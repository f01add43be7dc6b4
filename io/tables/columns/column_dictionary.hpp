// Makes a column's dictionary and coder from its tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/column_profile.hpp"
#include "io/tables/columns/table_reader.hpp"
#include "io/tables/columns/token_map.hpp"
#include "io/tables/values/value_reader.hpp"
#include "src/core/files/temporary_file.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

/// Turns the fields of a column into codes, in the second pass.
struct ColumnCoder {
  TokenMap tokens;                      ///< those with a code of their own in `codes`
  std::vector<std::uint32_t> codes;     ///< [tokens.size()]
  std::vector<double> values;           ///< for other tokens: the code is the number's rank in here
  ValueReader reader;                   ///< of those numbers
  std::vector<double> missing_numbers;  ///< of other tokens: these mean no value
  std::uint32_t other = TokenMap::none;  ///< else this is the code, if it is one

  /// Codes of block rows [first, first + count).
  /// @param columns  of the block
  /// @param file     where the block is from
  /// @throws IoError if a value was not there in the first pass
  void code(const RowBlock& block, std::size_t column, std::size_t columns, std::size_t first,
            std::size_t count, std::uint32_t* out, const std::string& file) const;

 private:
  std::uint32_t code_of_new(std::string_view token, const std::string& file) const;
};

struct ColumnDictionary {
  Attribute attribute;  ///< all but name and role
  ColumnCoder coder;
  std::uint64_t distinct = 0;                 ///< values or labels before any became "other"
  std::string other;                          ///< the label of those that did; empty if none did
  std::vector<std::uint64_t> word_rows = {};  ///< [words without value] rows of numbers or dates
  // These tell of labels that are numbers or dates all the same.
  std::uint64_t number_rows = 0;          ///< rows with a plain number
  std::uint64_t written_number_rows = 0;  ///< rows with a number written otherwise
  std::uint64_t date_rows = 0;            ///< rows with a date
  std::uint64_t numbers = 0, dates = 0;   ///< distinct labels that are such
  std::uint64_t words = 0;                ///< likewise neither, nor "no value"; 3 of them at most
};

/// The dictionary of distinct numbers, those of dates, too, ascending. Consumes the profile's
/// tokens.
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
