#pragma once

#include <cstdint>
#include <optional>

#include "src/core/communicator.hpp"
#include "src/core/hash.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// The hash of names and items, and of probabilities if there are some. By it a task tells that a
/// checkpoint is of other transactions.
Hash128 hash_of(const TransactionSet& transactions);

/// Bytes that they take on their way to other ranks.
std::uint64_t bytes_to_share(const TransactionSet& transactions);

/// Hands rank 0's transactions, with their probabilities, to all ranks. Each has a copy of its own.
/// Collective.
/// @param of_root  on rank 0; ignored on the others
TransactionSet share(std::optional<TransactionSet> of_root, Communicator& ranks);

}  // namespace atl
