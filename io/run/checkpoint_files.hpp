// The files of a checkpoint, and what they hold (io/FORMAT.md), with the lines of history that a
// run has kept so far: a file that grows beside its checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/hash.hpp"
#include "src/core/run_state.hpp"

namespace atl::io {

/// The place in the file where the history of a checkpoint ends.
struct HistoryEnd {
  std::uint64_t bytes = 0;
  Hash128 hash = hash_bytes({});  ///< of these bytes
};

/// Checks the beginning of the file that a checkpoint needs. @throws BadBytes if it is damaged,
/// IoError
void verify_history(const Folder& run, const HistoryEnd& end);

/// The file of a run's history. What it holds is never written again: each checkpoint needs a
/// beginning of it. Used by rank 0 alone, by one thread at a time; not collective.
class HistoryFile {
 public:
  /// @param run  outlives it
  /// @param end  of what is there; whatever follows it goes with the first that is appended
  /// @throws as verify_history
  HistoryFile(const Folder& run, const HistoryEnd& end);

  HistoryEnd end() const { return {bytes_, hasher_.digest()}; }
  /// Appends bytes, which are on storage once it returns.
  /// @throws CannotCreate, IoError; what was there is intact then
  void append(std::span<const std::byte> bytes);
  /// All up to the end. @throws BadBytes, IoError
  Bytes read() const;

 private:
  const Folder& run_;
  std::uint64_t bytes_ = 0;
  Hasher hasher_;
};

/// A part of a checkpoint: a file that holds the sections of some islands, beside its own file. Its
/// name comes from its content, so that no other ever takes its place.
struct CheckpointPart {
  std::uint32_t first_island = 0;
  Hash128 hash;  ///< of the encoded state that it holds
};

/// The content of a checkpoint's own file.
struct CheckpointManifest {
  RunState own;  ///< its header is that of the whole; its sections are those of the first islands
  std::vector<CheckpointPart> parts;  ///< of the others, by island
  HistoryEnd history;
};

Bytes encode(const CheckpointManifest& checkpoint);
/// Reads a manifest. Former versions have neither parts nor history in a file of its own.
/// @throws BadBytes
CheckpointManifest decode_manifest(std::span<const std::byte> bytes);

/// Names in RUN/checkpoints.
std::string checkpoint_name(std::uint32_t generation);
std::string part_name(std::uint32_t generation, const CheckpointPart& part);
/// The generation in a file's name; nothing if it is not the name of a checkpoint's own file, or of
/// a part.
std::optional<std::uint32_t> generation_of(const std::string& name);
std::optional<std::uint32_t> generation_of_part(const std::string& name);

// Any rank, not collective:

/// Writes a part of a checkpoint to come. @throws CannotCreate, IoError
CheckpointPart write_part(const Folder& run, std::uint32_t generation, std::uint32_t first_island,
                          std::span<const std::byte> state);
/// Writes the manifest, once its parts are written. @throws CannotCreate, IoError
void write_manifest(const Folder& run, const CheckpointManifest& checkpoint);

/// @throws BadBytes, naming the file, if it is damaged or something else has its place; IoError;
/// BadData for one of a newer version
CheckpointManifest read_manifest(const Folder& run, std::uint32_t generation);
/// @throws likewise
RunState read_part(const Folder& run, std::uint32_t generation, const CheckpointPart& part);

}  // namespace atl::io
