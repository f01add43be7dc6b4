#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/tables/answer.hpp"
#include "io/tables/columns/table_reader.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// The use of a column of a one-hot table.
enum class OneHotColumn : std::uint8_t {
  item,    ///< its name
  labels,  ///< column=label for each of its labels, as ARFF declares them
  index,   ///< nothing: it numbers the rows
  other,   ///< nothing: the user says that it is something else
};

/// Columns of declared labels that are no answers are `labels`. The first column is `index` if it
/// has no name, or "Unnamed: 0" as pandas has it, or if it has a usual name of one, such as tid or
/// index, and its cells are no answers, or count up.
/// @param first  the first rows
/// @param other  the name of the column that is `other`; empty: there is none
std::vector<OneHotColumn> one_hot_columns(const std::vector<DeclaredColumn>& columns,
                                          const RowBlock& first, const std::string& other);

/// Is it surely a one-hot table? In its first hundred rows or so the cells of each column answer,
/// and in the same words, but for hardly any, which are slips; some cell says yes; and there are
/// two columns or more beside an index. Where ARFF declares columns of other labels beside these,
/// none may say no: both labels count there.
/// @param other  as of one_hot_columns()  @throws as TableReader::next
bool is_one_hot(TableReader& table, const std::string& other = {});

/// Reads a one-hot table: a row is a transaction, a column an item, and a cell says whether the
/// transaction has it: 1 or 0, true or false, t or f, yes or no, y or n; or nothing, which is no
/// item either. Where ARFF declares other labels for a column, column=label is the item. A first
/// column that numbers the rows is left out, which is reported. Items are those that some row has,
/// in the order of their names' bytes. No row is held in memory.
/// @param name   the file's, for messages
/// @param other  as of one_hot_columns()
/// @throws BadCell, with line and field, for a cell that is none of these, or answers in other
///         words than one above it; BadData for two columns of one name, and as read_fimi; IoError
ItemNames read_one_hot(TableReader& table, const std::string& name, const Report& report,
                       TransactionSink& sink, const std::string& other = {});

}  // namespace atl::io
