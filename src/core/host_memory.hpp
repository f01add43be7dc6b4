// Memory that the ranks of one host have in common.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "src/core/communicator.hpp"

namespace atl {

/// A number of the host, not negative. Ranks of a host have the same number if they see each
/// other's processes, which those in containers of their own may not. Another host has another
/// number, but for a chance of one in 2^31.
int host_number();

/// Bytes that one rank of a host writes and all of them read. They are a file in memory without a
/// name, so nothing is left of it when the last process ends, however that comes about, and the
/// room in /dev/shm does not matter. They are never mapped for writing: writing to a file can fail
/// where the system has no more memory, while a store would kill the process.
class HostMemory {
 public:
  /// Collective over the ranks of a host, of which rank 0 is to write.
  /// @param size  bytes; memory is taken as they are written
  /// @return null on every rank if there is one rank only, or if one of them cannot have it, as
  ///         where the system does not know such files, limits the size of files (ulimit -f) or
  ///         does not let processes look at each other
  static std::shared_ptr<HostMemory> make(std::size_t size, Communicator& host);
  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /// Writes bytes at an offset. Not collective. @pre rank 0 made it. @throws std::bad_alloc
  void write(std::size_t offset, std::span<const std::byte> bytes);
  /// Begins at a page. A byte may be read once it has been written and the ranks have met.
  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  struct Offer;
  HostMemory() = default;
  static Bytes encoded(const Offer& offer);
  static Offer decoded(std::span<const std::byte> bytes);
  Offer create(std::size_t size) noexcept;
  bool open(const Offer& offer);
  bool map(std::size_t size) noexcept;

  int file_ = -1;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace atl
