#pragma once

#include <string>

namespace atl {

/// Hands a script to Slurm. By its content: under its path another could lie by then. Blocking.
/// @param path  of its file, for messages
/// @return number of the job
/// @throws Error of status 69 if there is no sbatch or it refuses
std::string sbatch(const std::string& script, const std::string& path);

}  // namespace atl
