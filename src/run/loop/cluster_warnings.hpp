// What on a cluster costs speed or results without any error, and is told when a job begins.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "src/config/experiment.hpp"
#include "src/run/job_settings.hpp"
#include "src/work/rank_place.hpp"

namespace atl {

/// Of ranks whose cores overlap, one alone included: do they start more threads than there are?
/// @return the warning for the most crowded cores
std::optional<std::string> crowded_cores(std::span<const RankPlace> ranks);

enum class FileSystem { any, memory, disk, layer };  ///< any: perhaps one that all nodes see

struct RunPlace {
  FileSystem kind = FileSystem::any;
  bool temporary = false;     ///< below /tmp or the like
  bool where_we_are = false;  ///< on the device of the user's home or of where the job is from
  bool scheduled = false;     ///< a batch scheduler runs the job
};

/// Is RUN where other nodes do not see it, and do they have to? Where ranks are on several hosts,
/// these tell; a job of one host that a scheduler may run on another one next time is judged by the
/// kind of file system.
std::optional<std::string> lone_folder(const RunPlace& run, std::span<const RankPlace> ranks);

/// Is an interval that somebody has made longer than the default so long that the job ends first?
/// @param seconds  that the job has at most; infinity if nothing limits it
std::optional<std::string> late_checkpoint(const CheckpointInterval& every, double seconds);

/// Reports each of these that applies. Collective.
/// @param threads  of this rank
void warn_of_cluster(const JobSettings& settings, unsigned threads, const Context& context);

}  // namespace atl
