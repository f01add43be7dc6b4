#pragma once

#include <cstdint>

namespace atl {

/// Bytes of memory that the machine, or the control groups that this process is in, have left; of
/// files in the cache those that can go are among them.
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

}  // namespace atl
