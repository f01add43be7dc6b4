// What holds of any transactions that were read.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// Ends the program unless items are ascending and known, and each is somewhere.
inline void expect_sound(const TransactionSet& set) {
  std::uint64_t entries = 0;
  for (std::uint32_t t = 0; t < set.size(); ++t) {
    std::int64_t last = -1;
    for (const std::uint32_t item : set.transaction(t)) {
      if (item <= last || item >= set.item_count()) std::abort();
      last = item;
      ++entries;
    }
  }
  if (entries != set.entries()) std::abort();
  for (const std::uint32_t support : set.supports()) {
    if (support == 0) std::abort();
  }
}

}  // namespace atl
