#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/columns/token_map.hpp"
#include "io/tables/values/value_reader.hpp"

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

}  // namespace atl::io
