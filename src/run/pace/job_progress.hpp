#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "islands/archipelago/archipelago.hpp"
#include "src/config/experiment.hpp"
#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"

namespace atl {

Bytes encode(const Progress& progress);
/// @throws BadBytes
Progress decode_progress(std::span<const std::byte> bytes);
/// Takes in another rank's: sums of rules and times, least generation, greatest of the best
/// measures and archives.
void add(Progress& sum, const Progress& theirs);

/// Progress of all ranks, added up. Collective; the result is rank 0's alone, nothing elsewhere.
std::optional<Progress> gather_progress(const Progress& mine, Communicator& communicator);

/// The line that tells how far a job is: generation, best measures, archive, rate, time left.
/// @param seconds_left  by the clock; infinity without a limit of time, or where nobody knows
std::string progress_line(const Progress& progress, const Experiment& experiment, double seconds,
                          std::uint32_t first_generation,
                          double seconds_left = std::numeric_limits<double>::infinity());

/// The same for log.jsonl. Phases are shares of the time of all ranks; they sum to at most 1 but
/// for rounding to three decimals. `device_busy`, if there are devices, is the share of their time
/// for which they had batches.
/// @param seconds  since before the first of the phases began, on any rank
nlohmann::ordered_json progress_record(const Progress& progress, const Experiment& experiment,
                                       double seconds, int ranks);

}  // namespace atl
