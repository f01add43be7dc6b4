#pragma once

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "src/core/error.hpp"

namespace atl {

/// Bytes of memory that are left by the machine, by the control groups that this process is in and
/// by its own limits. Files in the cache that can go count as left.
std::uint64_t memory_left() noexcept;

/// Lets this process take only so much more memory while it lasts: beyond it memory is refused, so
/// that std::bad_alloc is thrown where the system would otherwise end the process later. What
/// counts is what is taken, touched or not, without mapped files and memory that is shared.
/// One at a time.
class MemoryLimit {
 public:
  /// Begin threads before, as each takes a stack. Without effect where the system does not tell how
  /// much there is.
  explicit MemoryLimit(std::uint64_t bytes) noexcept;
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  std::uint64_t bytes() const noexcept { return bytes_; }
  /// Bytes that may still be taken.
  std::uint64_t left() const noexcept;

 private:
  std::uint64_t bytes_;
  std::uint64_t end_ = 0;     // of this process's memory, or 0: there is none
  std::uint64_t before_ = 0;  // the limit that there was
};

/// @param what  takes too much
/// @param instead  what else to do, such as "fewer threads or "
/// @throws UsageError
[[noreturn]] void throw_too_much(const std::string& what, const std::string& instead,
                                 const MemoryLimit& memory);

/// The machine has less memory left than is needed.
struct MemoryShortage : Error {
  explicit MemoryShortage(const std::string& message) : Error(ExitStatus::io_error, message) {}
};
/// Checks that the machine has room for bytes that will be held in memory.
/// @param what  takes so many bytes
/// @param instead  what would take less, if anything
/// @throws MemoryShortage
void expect_memory_for(std::uint64_t bytes, const std::string& what,
                       const std::string& instead = {});

/// Returns what `work` returns. @throws UsageError if memory is refused to it
template <typename Work>
auto within(const MemoryLimit& memory, const std::string& what, const std::string& instead,
            const Work& work) {
  try {
    return work();
  } catch (const MemoryShortage&) {
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // beyond all memory
  }
  throw_too_much(what, instead, memory);
}

}  // namespace atl
