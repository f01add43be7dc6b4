// What the cells of a one-hot table say, in which each column is an item and each row tells which
// of them a transaction has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/tables/answer.hpp"
#include "io/tables/columns/table_reader.hpp"

namespace atl::io {

/// What becomes of a column of a one-hot table.
enum class OneHotColumn : std::uint8_t {
  item,    ///< its name
  labels,  ///< column=label for each of its labels, as ARFF declares them
  index,   ///< nothing: it numbers the rows
};

/// Columns of declared labels that are no answers are `labels`. The first column is `index` if it
/// has no name, or "Unnamed: 0" as pandas has it, or if it has a usual name of one, such as tid or
/// index, and its cells are no answers, or count up.
/// @param first  the first rows
std::vector<OneHotColumn> one_hot_columns(const std::vector<DeclaredColumn>& columns,
                                          const RowBlock& first);

/// Is it surely a one-hot table? In its first hundred rows or so the cells of each column answer,
/// and in the same words, but for hardly any, which are slips; some cell says yes; and there are
/// two columns or more beside an index. Where ARFF declares columns of other labels beside these,
/// none may say no: both labels count there.
/// @throws as TableReader::next
bool is_one_hot(TableReader& table);

}  // namespace atl::io
