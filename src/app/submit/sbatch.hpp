#pragma once

#include <string>

namespace atl {

/// Hands a script to Slurm. Blocking.
/// @return number of the job
/// @throws Error of status 69 if there is no sbatch or it refuses
std::string sbatch(const std::string& script);

}  // namespace atl
