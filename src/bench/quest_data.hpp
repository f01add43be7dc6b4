// Transactions that benchmarks draw.
#pragma once

#include <cstdint>

#include "src/data/transactions/transaction_set.hpp"
#include "src/generate/quest.hpp"

namespace atl {

/// The first that `generate quest` makes with these options.
TransactionSet quest_transactions(const QuestOptions& options, std::uint64_t count);

}  // namespace atl
