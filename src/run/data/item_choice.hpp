// Which items of transactions are attributes of the table that is searched.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// Items that a rule can name, of all transactions that are searched.
struct ItemChoice {
  std::vector<std::string> names;  ///< without quotes, in the order of the items
  std::uint64_t all = 0;           ///< items that there are
  std::uint64_t everywhere = 0;    ///< left out as every transaction has them
  std::uint64_t transactions = 0;
  std::uint64_t least = 0;  ///< transactions that each item kept is in, unless the aim names it
};

/// Keeps the items with enough support for a rule of the experiment, held-out transactions not
/// counted, and those that the aim or `named` names.
/// @param named  without quotes
/// @throws UsageError for fewer than two with enough support
ItemChoice choose_items(const TransactionSet& transactions, const Experiment& experiment,
                        std::set<std::string> named = {});

/// The names that the aim of some island has, without quotes.
std::set<std::string> names_in_aims(const Experiment& experiment);

/// Says how many were kept, if not all were.
void tell_of_items(const ItemChoice& items, const Experiment& experiment, const Report& report);

}  // namespace atl
