// What the scheduler is asked for: [job] of an experiment file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

class TomlSection;

enum class Launcher : std::uint8_t { srun, mpirun };

/// A text that is empty and a number that is 0 are not asked for.
struct JobRequest {
  std::string name, partition, account, qos, constraint;
  std::uint32_t nodes = 1;
  std::uint32_t ranks_per_node = 1;
  std::string gpus_per_node;  ///< "4" or "a100:4"
  std::uint32_t gpus = 0;     ///< the number in it
  std::uint32_t cpus_per_task = 0;
  std::string memory;             ///< of each node
  std::string time;               ///< as Slurm takes it
  std::uint32_t stop_before = 0;  ///< seconds before the end at which ranks are told to stop
  bool requeue = true;            ///< or each job of the chain submits the next
  std::uint32_t max_jobs = 100;
  std::uint32_t array_limit = 0;  ///< runs of an array at a time
  std::vector<std::string> modules;
  std::string container;  ///< an absolute path, or a URI
  std::string program;
  Launcher launcher = Launcher::srun;
  std::vector<std::string> launcher_options;
  std::vector<std::string> setup;   ///< lines of shell
  std::vector<std::string> sbatch;  ///< further options of sbatch

  std::uint32_t ranks() const noexcept { return nodes * ranks_per_node; }
};

/// Paths are relative to `folder`, which is absolute.
/// @throws BadData with the place of what is wrong; MissingInput for a container that is not there
JobRequest read_job(TomlSection& job, const std::string& folder);

/// Seconds of Slurm's "30", "30:00", "1:30:00", "2-0", "2-0:30", "2-0:30:00"; nothing for
/// UNLIMITED. @throws UsageError
std::optional<std::uint64_t> slurm_seconds(std::string_view text);

}  // namespace atl
