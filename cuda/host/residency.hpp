// Which tables lie in a device's memory, when it does not hold them all.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <shared_mutex>
#include <vector>

namespace atl::cuda {

/// Bookkeeping of one budget of bytes that tables share. Whoever uses a table's rows holds the
/// mutex shared; whoever brings one in or drops one holds it alone.
class Residency {
 public:
  /// One that joins stays until it leaves, with its rows in the device's memory or without.
  struct Table {
    std::function<void()> drop;  ///< gives the memory of the rows back
    std::uint64_t bytes = 0;     ///< that its rows take; 0: they are not there
    std::atomic<std::uint64_t> last_use = 0;
  };

  /// @param most_bytes  of all tables, with what is left for batches of rules; 0: what is free
  explicit Residency(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  std::shared_mutex& mutex() noexcept { return mutex_; }

  /// @param table  must stay where it is until it leaves
  void join(Table& table);
  void leave(Table& table);
  /// It is the most recently used now. @pre the mutex is held, shared or alone
  void use(Table& table) noexcept { table.last_use = ++uses_; }
  /// Drops other tables, the least recently used first, until `bytes` fit or no other is left. A
  /// tenth of the budget is kept for batches.
  /// @param free  bytes of the device's memory that nobody has
  /// @return bytes that the table may take, which may be fewer
  /// @pre the mutex is held alone, and the table's rows are not there
  std::uint64_t make_room(const Table& table, std::uint64_t bytes, std::uint64_t free);
  /// The budget, if there is one that is less than what is free and what tables hold.
  std::uint64_t budget(std::uint64_t free) const noexcept;

 private:
  std::uint64_t held() const noexcept;

  const std::uint64_t most_bytes_;
  std::shared_mutex mutex_;
  std::atomic<std::uint64_t> uses_ = 0;
  std::vector<Table*> tables_;
};

}  // namespace atl::cuda
