// Chooses the tables that lie in a device's memory, when it does not hold them all.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <vector>

namespace atl::cuda {

/// Bookkeeping of one budget of bytes that tables share. A thread that uses a table's rows holds
/// the mutex shared. A thread that brings rows in or drops them holds it alone.
class Residency {
 public:
  /// A member from join() to leave(), whether its rows are on the device or not.
  struct Table {
    std::function<void()> drop;  ///< frees the memory of the rows
    std::uint64_t bytes = 0;     ///< what the rows may take; 0 if they are not on the device
    /// The part of these that is taken by now: planes of targets come later, and may be fewer.
    std::atomic<std::uint64_t> allocated = 0;
    std::atomic<std::uint64_t> last_use = 0;
  };

  /// @param most_bytes  budget of all tables and of batches together; 0: whatever is free
  explicit Residency(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  std::shared_mutex& mutex() noexcept { return mutex_; }

  /// Both lock the mutex, so the caller must not hold it.
  /// @param table  must stay where it is until it leaves
  void join(Table& table);
  void leave(Table& table);
  /// Marks the table as used most recently. @pre the mutex is held, shared or alone
  void use(Table& table) noexcept { table.last_use = ++uses_; }
  /// Drops other tables, the least recently used first, until `bytes` fit or no other is left. A
  /// tenth of the budget is kept for batches.
  /// The caller then brings the rows in and sets table.bytes and table.allocated.
  /// @param free  bytes of device memory that nobody uses
  /// @return bytes that the table may take, which may be fewer
  /// @pre the mutex is held alone, and the table's rows are not there
  std::uint64_t make_room(const Table& table, std::uint64_t bytes, std::uint64_t free);
  /// The bytes for tables and batches: what is free plus what tables hold, at most most_bytes
  /// unless that is 0. @pre the mutex is held
  std::uint64_t budget(std::uint64_t free) const noexcept;

 private:
  std::uint64_t held() const noexcept;

  const std::uint64_t most_bytes_;
  std::shared_mutex mutex_;
  std::atomic<std::uint64_t> uses_ = 0;
  std::vector<Table*> tables_;
};

}  // namespace atl::cuda
