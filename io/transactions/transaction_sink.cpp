#include "io/transactions/transaction_sink.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace atl::io {

void CollectedTransactions::take(std::span<const std::uint32_t> items) {
  const std::size_t size = items_.size() + items.size();
  if (size > items_.capacity()) items_.reserve(std::bit_ceil(size));
  items_.insert(items_.end(), items.begin(), items.end());
  starts_.push_back(size);
}

TransactionSet CollectedTransactions::finish(ItemNames names) && {
  for (std::uint32_t& item : items_) item = names.places[item];
  for (std::size_t t = 0; t + 1 < starts_.size(); ++t) {
    std::sort(items_.begin() + static_cast<std::ptrdiff_t>(starts_[t]),
              items_.begin() + static_cast<std::ptrdiff_t>(starts_[t + 1]));
  }
  return {std::move(names.names), std::move(starts_), std::move(items_)};
}

}  // namespace atl::io
