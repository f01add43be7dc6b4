// The files of a checkpoint, and what they hold (io/FORMAT.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/run/history_file.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/run_state.hpp"

namespace atl::io {

/// A file that holds the sections of some islands of a checkpoint, beside the checkpoint's own. Its
/// name comes from its content, so that no other ever takes its place.
struct CheckpointPart {
  std::uint32_t first_island = 0;
  Hash128 hash;  ///< of the encoded state that it holds
};

/// What a checkpoint's own file holds.
struct CheckpointManifest {
  RunState own;  ///< its header is that of the whole; its sections are those of the first islands
  std::vector<CheckpointPart> parts;  ///< of the others, by island
  HistoryEnd history;
};

Bytes encode(const CheckpointManifest& checkpoint);
/// Former versions have neither parts nor history in a file of its own. @throws BadBytes
CheckpointManifest decode_manifest(std::span<const std::byte> bytes);

/// Names in RUN/checkpoints.
std::string checkpoint_name(std::uint32_t generation);
std::string part_name(std::uint32_t generation, const CheckpointPart& part);
/// Nothing if it is not the name of a checkpoint's own file, or of a part.
std::optional<std::uint32_t> generation_of(const std::string& name);
std::optional<std::uint32_t> generation_of_part(const std::string& name);

// Any rank, not collective:

/// Writes a part of a checkpoint to come. @throws CannotCreate, IoError
CheckpointPart write_part(const Folder& run, std::uint32_t generation, std::uint32_t first_island,
                          std::span<const std::byte> state);
/// Once its parts are written. @throws CannotCreate, IoError
void write_manifest(const Folder& run, const CheckpointManifest& checkpoint);

/// @throws BadBytes, naming the file, if it is damaged or something else has its place; IoError;
/// BadData for one of a newer version
CheckpointManifest read_manifest(const Folder& run, std::uint32_t generation);
/// @throws likewise
RunState read_part(const Folder& run, std::uint32_t generation, const CheckpointPart& part);

}  // namespace atl::io
