#pragma once

#include <string>

#include "io/tables/columns/table_reader.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// Reads a one-hot table: a row is a transaction, a column an item, and a cell says whether the
/// transaction has it: 1 or 0, true or false, t or f, yes or no, y or n; or nothing, which is no
/// item either. Where ARFF declares other labels for a column, column=label is the item. A first
/// column that numbers the rows is left out, which is reported. Items are those that some row has,
/// in the order of their names' bytes. No row is held in memory.
/// @param name  the file's, for messages
/// @throws BadCell, with line and field, for a cell that is none of these, or answers in other
/// words
///         than one above it; BadData for two columns of one name, and as read_fimi; IoError
ItemNames read_one_hot(TableReader& table, const std::string& name, const Report& report,
                       TransactionSink& sink);

}  // namespace atl::io
