#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/data/dataset.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// A table as transactions: a row has the items `attribute = label` that hold on it, of nominal and
/// ordinal attributes. Items are in the order of attributes, then of labels. They are called as
/// rules call the comparison, without blanks around =. Numeric attributes are left out. A cell
/// without a value is no item. @throws UsageError for 2^32 - 1 rows or more
TransactionSet label_items(const Dataset& dataset);

/// Transactions as a table: a row for each, and for each of some items an attribute, absent or
/// present, of one bit plane.
/// @param names  of the attributes, as items are called without quotes; of an item that is in no
///               transaction, too
/// @param partition_rows  at most so many, a multiple of partition_granule
Dataset item_table(const TransactionSet& transactions, const std::vector<std::string>& names,
                   std::uint32_t partition_rows, Fingerprint fingerprint);

}  // namespace atl
