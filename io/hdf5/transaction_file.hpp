// Reads the file of transactions (HDF5, io/FORMAT.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/h5_writer.hpp"
#include "src/core/hash.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl::io {

/// What is in a file of transactions but the transactions.
struct TransactionSummary {
  std::uint64_t transactions = 0;
  std::uint64_t entries = 0;  ///< items of all transactions together
  std::uint32_t partition_transactions = 0;
  bool has_probabilities = false;
  Fingerprint fingerprint;
  std::vector<std::string> names;       ///< of items, as they are: without quotes
  std::vector<std::uint64_t> supports;  ///< [items]
};

/// A file's transactions, with what the file says of them.
struct StoredTransactions {
  TransactionSet transactions;
  Fingerprint fingerprint;
  std::uint32_t partition_transactions = 0;
};

/// Marks a new file as one of transactions. @throws Hdf5Error
void put_transaction_format(Hdf5Writer& file);

/// All that a file of transactions has.
Hdf5Names transaction_names();

/// Does a file of ours hold transactions? Anything else that is wrong with it, readers say.
bool holds_transactions(const Hdf5Reader& file);

/// @throws BadData (another kind of file, contradictory, newer version), IoError
TransactionSummary read_transaction_summary(const Hdf5Reader& file);
/// All is compared with what the file says of it, the fingerprint too. @throws likewise
StoredTransactions read_transactions(const Hdf5Reader& file);

}  // namespace atl::io
