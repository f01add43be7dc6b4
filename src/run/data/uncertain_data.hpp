// Transactions of which each exists with a probability, or that are all taken as they are.
#pragma once

#include <string>

#include "src/core/report.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/run/data/transaction_data.hpp"

namespace atl {

/// Reads transactions with their probabilities: those of a text, of a column (form), or of the data
/// themselves, if they are a file of transactions. Without any, each is certain, with a warning.
/// @param probabilities  a text of them, a line each; empty: there is none
/// @throws as read_transactions and io::read_probabilities; UsageError for two kinds of them
TransactionSet read_uncertain_transactions(const std::string& data, const TransactionForm& form,
                                           const std::string& probabilities, const Report& report);

/// Reads transactions for whoever takes each for certain, without probabilities. Reports it if
/// there are some. @throws as read_transactions
TransactionSet read_certain_transactions(const std::string& data, const TransactionForm& form,
                                         const Report& report);

}  // namespace atl
