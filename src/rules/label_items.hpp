#pragma once

#include "src/data/dataset.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// A table as transactions: a row has the items `attribute = label` that hold on it, of nominal and
/// ordinal attributes. Items are in the order of attributes, then of labels. They are called as
/// rules call the comparison, without blanks around =. Numeric attributes are left out. A cell
/// without a value is no item. @throws UsageError for 2^32 - 1 rows or more
TransactionSet label_items(const Dataset& dataset);

}  // namespace atl
