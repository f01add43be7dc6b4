#pragma once

#include <memory>

#include "cuda/device/device.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_counter.hpp"

namespace atl::cuda {

/// Frequent items of a search that not all transactions have: at most so many.
inline constexpr std::uint32_t most_counted_items = 512;

/// @throws BackendUnavailable if this program was built without CUDA or the device does not
/// answer, and, when a search is prepared, if more items than `most_counted_items` are frequent
std::unique_ptr<ItemsetCounter> make_itemset_counter(const TransactionSet& transactions,
                                                     const DeviceOptions& options);

}  // namespace atl::cuda
