#include "src/run/loop/cluster_warnings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <limits>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <vector>

#include <fmt/format.h>

#include "io/run/run_files.hpp"
#include "src/core/agreement.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/core/text/time_text.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

/// Ranks of one machine, and the cores that they compete for.
struct Crowd {
  std::string host, machine;
  std::size_t ranks = 0;
  CpuList cpus;
  std::uint64_t threads = 0;

  double crowding() const {
    return static_cast<double>(threads) / static_cast<double>(cpus.size());
  }
};

CpuList united(const CpuList& a, const CpuList& b) {
  CpuList all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

/// Each rank joins those whose cores it shares, and joins these to one another.
std::vector<Crowd> crowds_of(std::span<const RankPlace> ranks) {
  std::vector<Crowd> crowds;
  for (const RankPlace& rank : ranks) {
    if (rank.cpus.empty()) continue;
    Crowd joined{rank.host, rank.machine, 1, rank.cpus, rank.threads};
    std::erase_if(crowds, [&](const Crowd& other) {
      if (other.machine != rank.machine || intersection(other.cpus, joined.cpus).empty())
        return false;
      joined.cpus = united(joined.cpus, other.cpus);
      joined.threads += other.threads;
      joined.ranks += other.ranks;
      return true;
    });
    crowds.push_back(std::move(joined));
  }
  return crowds;
}

std::size_t machines(std::span<const RankPlace> ranks) {
  std::vector<std::string> names;
  for (const RankPlace& rank : ranks) names.push_back(rank.machine);
  std::sort(names.begin(), names.end());
  return static_cast<std::size_t>(
      std::distance(names.begin(), std::unique(names.begin(), names.end())));
}

FileSystem file_system_of(const std::string& path) {
  constexpr std::uint64_t zfs = 0x2fc12fc1;
  struct statfs status {};
  if (::statfs(path.c_str(), &status) != 0) return FileSystem::any;
  switch (static_cast<std::uint64_t>(status.f_type) & 0xFFFFFFFF) {
    case TMPFS_MAGIC:
    case RAMFS_MAGIC:
      return FileSystem::memory;
    case EXT4_SUPER_MAGIC:
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    case zfs:
      return FileSystem::disk;
    case OVERLAYFS_SUPER_MAGIC:
      return FileSystem::layer;
    default:
      return FileSystem::any;
  }
}

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

template <std::size_t N>
bool any_set(const std::array<const char*, N>& names) {
  return std::any_of(names.begin(), names.end(), is_set);
}

bool on_one_device(const std::string& path, const char* variable) {
  struct stat a {
  }, b{};
  return is_set(variable) && ::stat(path.c_str(), &a) == 0 &&
         ::stat(std::getenv(variable), &b) == 0 && a.st_dev == b.st_dev;
}

RunPlace run_place(const std::string& folder) {
  constexpr std::array schedulers = {"SLURM_JOB_ID", "PBS_JOBID",    "LSB_JOBID",
                                     "FLUX_JOB_ID",  "COBALT_JOBID", "OAR_JOB_ID"};
  constexpr std::array ours = {"HOME", "SLURM_SUBMIT_DIR", "PBS_O_WORKDIR", "LS_SUBCWD"};
  constexpr std::array temporary = {"/tmp/", "/var/tmp/", "/dev/shm/"};
  std::error_code ignored;
  const std::string path = fs::canonical(folder, ignored).string() + "/";
  RunPlace place;
  place.kind = file_system_of(folder);
  place.temporary = std::any_of(temporary.begin(), temporary.end(),
                                [&](const char* parent) { return path.starts_with(parent); });
  place.where_we_are = std::any_of(ours.begin(), ours.end(), [&](const char* variable) {
    return on_one_device(folder, variable);
  });
  place.scheduled = any_set(schedulers);
  return place;
}

/// The content of RUN/lock as this node sees it: there others may have put anything in its place.
std::string content_of_lock(const std::string& run) {
  try {
    return io::read_file(io::Folder(run, io::Access::read), io::run_names::lock, 4096);
  } catch (const Error&) {
    return "";
  }
}

/// Seconds that this job has at most, as far as it knows.
double seconds_of_job(const JobSettings& settings) {
  double seconds = std::numeric_limits<double>::infinity();
  const double limit = settings.configuration.experiment.time_limit;
  if (limit > 0) seconds = std::min(seconds, limit);
  if (settings.stop_after > 0) seconds = std::min(seconds, settings.stop_after);
  const char* const end = std::getenv("SLURM_JOB_END_TIME");
  const auto ends_at = end != nullptr ? parse_number(end) : std::nullopt;
  if (ends_at) {
    const double left = *ends_at - static_cast<double>(std::time(nullptr));
    if (left > 0) seconds = std::min(seconds, left);
  }
  return seconds;
}

}  // namespace

std::optional<std::string> crowded_cores(std::span<const RankPlace> ranks) {
  const std::vector<Crowd> crowds = crowds_of(ranks);
  const auto worst =
      std::max_element(crowds.begin(), crowds.end(),
                       [](const Crowd& a, const Crowd& b) { return a.crowding() < b.crowding(); });
  if (worst == crowds.end() || worst->threads <= worst->cpus.size()) return std::nullopt;
  const std::string cores = counted(worst->cpus.size(), "core");
  if (worst->ranks == 1) {
    return fmt::format("{} on {} of {}; more threads than cores slow each other down",
                       counted(worst->threads, "thread"), cores, printable(worst->host));
  }
  return fmt::format(
      "{} ranks have {} on {} of {}; give each cores of its own (mpirun --map-by slot:PE=N, srun "
      "--cpus-per-task=N) or fewer --threads",
      worst->ranks, counted(worst->threads, "thread"), cores, printable(worst->host));
}

std::optional<std::string> lone_folder(const RunPlace& run, std::span<const RankPlace> ranks) {
  if (run.kind == FileSystem::any) return std::nullopt;
  const bool seen_by_all =
      std::all_of(ranks.begin(), ranks.end(), [](const RankPlace& r) { return r.sees_run; });
  const bool kept = run.kind == FileSystem::disk && !run.temporary && run.where_we_are;
  const bool lone = machines(ranks) > 1 ? !seen_by_all : run.scheduled && !kept;
  if (!lone) return std::nullopt;
  const char* const kind = run.kind == FileSystem::memory ? "in memory"
                           : run.kind == FileSystem::disk ? "on a disk"
                                                          : "in a container's own files";
  return fmt::format(
      "RUN is {} of this node alone{}: no other node can go on with it, and it may be gone with "
      "the job",
      kind, run.temporary ? ", for temporary files" : "");
}

std::optional<std::string> late_checkpoint(const CheckpointInterval& every, double seconds) {
  const bool usual = every.generations != 0 || every.seconds <= CheckpointInterval().seconds;
  if (usual || every.seconds < seconds) return std::nullopt;
  return fmt::format(
      "--checkpoint-every is {}, this job has {}: if it is killed before its end, all of its work "
      "is "
      "lost",
      time_text(every.seconds), time_text(seconds));
}

void warn_of_cluster(const JobSettings& settings, unsigned threads, const Context& context) {
  Communicator& communicator = context.communicator;
  // Nobody but rank 0 writes to RUN, whose lock tells that it does.
  std::error_code ignored;
  const std::string run =
      text_of_root(communicator, [&] { return fs::absolute(settings.folder, ignored).string(); });
  const std::string owner = text_of_root(communicator, [&] { return content_of_lock(run); });
  RankPlace mine = own_place();
  mine.threads = threads;
  mine.sees_run = content_of_lock(run) == owner;
  const auto ranks = all_places(mine, communicator);
  if (communicator.rank() != 0) return;
  for (const auto& warning : {crowded_cores(ranks), lone_folder(run_place(settings.folder), ranks),
                              late_checkpoint(settings.configuration.machine.checkpoint_every,
                                              seconds_of_job(settings))}) {
    if (warning) context.report(Severity::warning, *warning);
  }
}

}  // namespace atl
