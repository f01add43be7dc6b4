#pragma once

#include <string>

#include "io/tables/columns/table_reader.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// Reads a long table: a row names a transaction and one of its items. Rows may be in any order.
/// Transactions are in the order of their first rows, items in that of their names' bytes. A row
/// that is there twice counts once, with a warning. All rows are held in memory,
/// 12 bytes each.
/// @param name  the file's, for messages
/// @throws BadData for a table without rows or with other than two columns, and as read_fimi;
///         BadCell, with line and field, for a row without transaction or item; IoError
ItemNames read_long_table(TableReader& table, const std::string& name, const Report& report,
                          TransactionSink& sink);

}  // namespace atl::io
