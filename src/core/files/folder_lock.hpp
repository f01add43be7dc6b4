// Holds a folder for one process.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// In the folder that it locks.
inline constexpr const char* lock_name = "lock";

struct LockOptions {
  std::chrono::milliseconds beat{5000};       ///< between a holder's signs of life
  std::chrono::milliseconds patience{30000};  ///< without one, after which it counts as gone
  Report report = {};                         ///< is told, if it is set, who is waited for
  std::string what = "RUN";                   ///< what people call the folder
};

/// Holds a folder for this process until destroyed: by a lock on its file "lock" where the file
/// system has locks, and everywhere by what is in that, the owner's host, boot id, process and job,
/// with a sign of life every few seconds (the file's time). An owner that is gone is taken over: on
/// this host at once; elsewhere after it has given no sign of life for `patience`, as long as the
/// call waits.
class FolderLock {
 public:
  /// @param folder  to be written
  /// @throws UsageError naming the owner if another process holds it; CannotCreate, IoError
  explicit FolderLock(Folder folder, const LockOptions& options = {});
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Held open: what takes its place is not touched.
  const Folder& folder() const noexcept;

  /// Has another process taken it over? One that was stopped for long may have been taken for
  /// gone. Not known while the lock cannot be read. Any thread may ask.
  bool is_taken_over() const;
  /// Was the file removed or replaced, so that others do not see that it is locked? Any thread may
  /// ask.
  bool is_removed() const;
  /// To be called before the folder is changed. Any thread may. @throws UsageError if another
  /// process has taken it over; CannotCreate if it was removed or renamed, or is another folder now
  void require_held() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Who holds the folder, "process 17 on node3 (job 4711)"; nothing if nobody does, as far as can be
/// known from here: one that is elsewhere and was killed counts as alive for a while. Takes no
/// lock.
std::optional<std::string> folder_owner(const std::string& folder, const LockOptions& options = {});

}  // namespace atl::io
