#pragma once

#include "src/core/memory_limit.hpp"

namespace atl {

/// What a search for itemsets returns. @throws UsageError if memory is refused to it
template <typename Work>
auto search_within(const MemoryLimit& memory, const Work& work) {
  return within(memory, "the search takes", "a greater support, fewer --threads or ", work);
}

}  // namespace atl
