// Lines of history that a run has kept so far: a file that grows, beside its checkpoints.
#pragma once

#include <cstdint>
#include <span>

#include "src/core/bytes.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/hash.hpp"

namespace atl::io {

/// Where the history of a checkpoint ends in the file.
struct HistoryEnd {
  std::uint64_t bytes = 0;
  Hash128 hash = hash_bytes({});  ///< of these bytes
};

/// Checks the beginning of the file that a checkpoint needs. @throws BadBytes if it is damaged,
/// IoError
void verify_history(const Folder& run, const HistoryEnd& end);

/// What it holds is never written again: each checkpoint needs a beginning of it. Used by rank 0
/// alone, by one thread at a time; not collective.
class HistoryFile {
 public:
  /// @param run  outlives it
  /// @param end  of what is there; whatever follows it goes with the first that is appended
  /// @throws as verify_history
  HistoryFile(const Folder& run, const HistoryEnd& end);

  HistoryEnd end() const { return {bytes_, hasher_.digest()}; }
  /// On storage once it returns. @throws CannotCreate, IoError; what was there is intact then
  void append(std::span<const std::byte> bytes);
  /// All up to the end. @throws BadBytes, IoError
  Bytes read() const;

 private:
  const Folder& run_;
  std::uint64_t bytes_ = 0;
  Hasher hasher_;
};

}  // namespace atl::io
