// The file of transactions (HDF5, io/FORMAT.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/hdf5/h5_reader.hpp"
#include "src/core/hash.hpp"
#include "src/data/transaction_set.hpp"

namespace atl::io {

class Folder;

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

/// Writes transactions to a file, which appears as a whole or not at all.
/// @param partition_transactions  a multiple of partition_granule
/// @param folder  of `path`, if it is held open: no link is followed then
/// @param before_output  called once it is complete, before it takes its name; may throw
/// @throws BadData for no transactions, or an item with a name of more than 64 KiB; CannotCreate,
///         IoError
void write_transactions(const std::string& path, const TransactionSet& transactions,
                        std::uint32_t partition_transactions, const Folder* folder = nullptr,
                        const std::function<void()>& before_output = {});

/// All that a file of transactions has.
Hdf5Names transaction_names();

/// Does a file of ours hold transactions? Anything else that is wrong with it, readers say.
bool holds_transactions(const Hdf5Reader& file);

/// @throws BadData (another kind of file, contradictory, newer version), IoError
TransactionSummary read_transaction_summary(const Hdf5Reader& file);
/// All is compared with what the file says of it, the fingerprint too. @throws likewise
StoredTransactions read_transactions(const Hdf5Reader& file);

}  // namespace atl::io
