#pragma once

#include <string>

#include "io/tables/table_reader.hpp"
#include "src/core/report.hpp"
#include "src/data/transaction_set.hpp"

namespace atl::io {

/// Reads a long table: a row names a transaction and one of its items. Rows may be in any order.
/// Transactions are in the order of their first rows, items in that of their names' bytes. A row
/// that is there twice counts once, with a warning.
/// @param name  the file's, for messages
/// @throws BadData for a table without rows or with other than two columns, and as read_fimi;
///         BadCell, with line and field, for a row without transaction or item; IoError
TransactionSet read_long_table(TableReader& table, const std::string& name, const Report& report);

}  // namespace atl::io
