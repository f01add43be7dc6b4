// What becomes of a search for itemsets that is refused memory.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "src/core/error.hpp"
#include "src/core/memory_limit.hpp"

namespace atl {

/// @param what  takes too much  @param instead  what to change, and a blank or "or "
[[noreturn]] inline void throw_too_much(const std::string& what, const std::string& instead,
                                        const MemoryLimit& memory) {
  throw UsageError(
      fmt::format("{} more than the memory limit of {} MiB: take {}a greater "
                  "--memory-limit",
                  what, memory.bytes() >> 20, instead));
}

/// What `work` returns. @throws UsageError if memory is refused to it
template <typename Work>
auto within(const MemoryLimit& memory, const std::string& what, const std::string& instead,
            const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // beyond all memory
  }
  throw_too_much(what, instead, memory);
}

template <typename Work>
auto search_within(const MemoryLimit& memory, const Work& work) {
  return within(memory, "the search takes", "a greater support, fewer --threads or ", work);
}

}  // namespace atl
