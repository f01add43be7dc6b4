// What a task keeps when it stops, as bytes: io/FORMAT.md, "Checkpoint of a task".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/hash.hpp"
#include "src/work/task.hpp"

namespace atl {

/// What the other identity has that is not as here, in words; empty if nothing is.
std::string difference(const Identity& here, const Identity& other);

/// Some text in a file.
struct TextPart {
  std::uint64_t file = 0;  ///< number
  std::uint64_t size = 0;
  Hash128 hash;
};

struct TaskState {
  Identity identity;   ///< marks without their words, which are the running program's
  double seconds = 0;  ///< of all jobs so far
  std::uint32_t round = 0;
  Bytes news;                    ///< of the round
  Bytes own;                     ///< what the task saves
  std::vector<TextPart> output;  ///< pieces of the output so far, one after the other
  std::vector<std::variant<Piece, TextPart>> items;  ///< what is left, and text behind it
};

/// The state is of another version of atoll, whose pieces may be others.
struct OtherVersion : BadBytes {
  using BadBytes::BadBytes;
};

Bytes encode(const TaskState& state);
/// @throws BadBytes, OtherVersion
TaskState decode_task_state(std::span<const std::byte> bytes);

}  // namespace atl
