// Everything a run needs to go on as if it had never stopped: a header that says which run it is,
// and sections of bytes. Whoever wrote a section alone knows what its bytes mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/hash.hpp"

namespace atl {

/// Append only: a number once used keeps its meaning.
enum class CheckpointVersion : std::uint32_t {
  initial = 1,
  coverage_niches = 2,
  numeric_targets = 3,
  buckets = 4,
  sections = 5,
  parts = 6,  // that one has written may lie in files of their own
  latest = parts
};

/// Names the run that the bytes belong to; readable before the data are loaded.
struct RunStateHeader {
  CheckpointVersion version = CheckpointVersion::latest;
  Hash128 experiment;  ///< Experiment::hash()
  Fingerprint dataset;
  std::uint32_t generation = 0;
  double seconds = 0;      ///< spent by all jobs of the run so far
  std::uint32_t jobs = 0;  ///< jobs that have worked on it
  bool finished = false;
};

/// Bytes of one part of the run.
struct Section {
  std::string name;           ///< at most 64 of a-z, 0-9 and '-'
  std::uint32_t version = 0;  ///< of what the bytes mean
  Bytes bytes;
};

struct RunState {
  RunStateHeader header;
  std::vector<Section> sections;  ///< names differ

  /// @throws BadBytes if there is none of this name and version
  std::span<const std::byte> section(std::string_view name, std::uint32_t version) const;
};

Bytes encode(const RunState& state);
/// Looks into no section.
/// @throws BadBytes if the bytes are not what encode() makes of some state, or of a version before
/// CheckpointVersion::sections
RunState decode_run_state(std::span<const std::byte> bytes);

}  // namespace atl
