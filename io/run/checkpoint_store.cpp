#include "io/run/checkpoint_store.hpp"

#include <algorithm>
#include <fcntl.h>
#include <iterator>
#include <map>
#include <sys/stat.h>
#include <utility>

#include "io/run/run_files.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

// Newest first.
std::vector<std::uint32_t> stored_in(const Folder& folder) {
  std::vector<std::uint32_t> found;
  for (const std::string& name : folder.names()) {
    if (const auto generation = generation_of(name)) found.push_back(*generation);
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

void expect_parts(const Folder& folder, const CheckpointManifest& checkpoint) {
  for (const CheckpointPart& part : checkpoint.parts) {
    const std::string name = part_name(checkpoint.own.header.generation, part);
    if (!folder.has(name)) throw BadBytes("its part " + name + " is missing");
  }
}

/// Names the checkpoint's own file, unless the problem names another.
std::string problem_of(const Folder& folder, const std::string& path, const BadBytes& error) {
  const std::string problem = error.what();
  return problem.starts_with(folder.path()) ? problem : path + ": " + problem;
}

/// The newest checkpoint that `use` can take up; what that returns.
template <typename Use>
auto newest_of(const Folder& run, std::set<std::string>& reported, const Report& report, Use use)
    -> std::optional<decltype(use(std::declval<const Folder&>(), CheckpointManifest()))> {
  const auto folder = run.folder(run_names::checkpoints);
  if (!folder) return std::nullopt;
  auto found = stored_in(*folder);
  for (std::size_t i = 0; i < found.size();) {
    const std::string name = checkpoint_name(found[i]);
    const std::string path = folder->path_of(name);
    std::string problem;
    try {
      return use(*folder, read_manifest(run, found[i]));
    } catch (const BadBytes& error) {
      problem = problem_of(*folder, path, error);
    }
    // A job that works on the run keeps the last few: there are newer ones then.
    if (!folder->has(name)) {
      found = stored_in(*folder);
      i = 0;
      continue;
    }
    if (reported.insert(path).second) {
      const bool last = i + 1 == found.size();
      report(Severity::warning, problem + (last ? "" : "; the checkpoint before it is taken"));
    }
    ++i;
  }
  if (found.empty()) return std::nullopt;
  throw BadData(folder->path(),
                "no checkpoint can be read, all " + std::to_string(found.size()) +
                    " are damaged or of another version of atoll; without them the run "
                    "would begin again");
}

std::time_t written_at(const Folder& folder, const std::string& name) {
  struct stat status {};
  const bool known =
      ::fstatat(folder.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return known ? status.st_mtime : 0;
}

}  // namespace

CheckpointStore::CheckpointStore(const Folder& run, std::uint32_t keep, Report report)
    : run_(run), keep_(std::max<std::uint32_t>(1, keep)), report_(std::move(report)) {}

void CheckpointStore::save(const CheckpointManifest& checkpoint) {
  write_manifest(run_, checkpoint);
  if (const auto folder = run_.folder(run_names::checkpoints)) remove_older(*folder, checkpoint);
}

// Later ones, of which the run could not go on, are left: they may not push this one out.
void CheckpointStore::remove_older(const Folder& folder, const CheckpointManifest& checkpoint) {
  const std::uint32_t own = checkpoint.own.header.generation;
  std::set<std::uint32_t> left;
  std::set<std::string> own_parts;
  for (const CheckpointPart& part : checkpoint.parts) own_parts.insert(part_name(own, part));
  const auto remove = [&](const std::string& name) {
    try {
      folder.remove(name);
    } catch (const Error& error) {
      report_(Severity::warning, error.what());
    }
  };
  std::uint32_t kept = 0;
  const auto names = folder.names();
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const auto generation = generation_of(*name);
    if (!generation) continue;
    if (*generation > own || ++kept <= keep_) {
      left.insert(*generation);
    } else {
      remove(*name);
    }
  }
  for (const std::string& name : names) {
    const auto generation = generation_of_part(name);
    if (!generation) continue;
    // Later ones may be on their way.
    const bool needed = *generation > own || (*generation == own ? own_parts.contains(name)
                                                                 : left.contains(*generation));
    if (!needed) remove(name);
  }
}

std::optional<RunStateHeader> CheckpointStore::latest_header(
    const std::function<bool(const RunStateHeader&)>& is_own) {
  std::optional<RunStateHeader> other;
  try {
    return newest_of(run_, reported_, report_, [&](const Folder& folder, CheckpointManifest read) {
      const RunStateHeader header = read.own.header;
      expect_parts(folder, read);
      if (!is_own || is_own(header)) return header;
      if (!other) other = header;
      throw BadBytes("it is of another experiment or other data");
    });
  } catch (const BadData&) {
    if (!other) throw;
    return other;
  }
}

std::vector<CheckpointFile> CheckpointStore::list() const {
  std::vector<CheckpointFile> files;
  const auto folder = run_.folder(run_names::checkpoints);
  if (!folder) return files;
  std::map<std::uint32_t, RunStateHeader> without_history;  // that lack nothing else
  for (const std::uint32_t generation : stored_in(*folder)) {
    const std::string name = checkpoint_name(generation);
    CheckpointFile file{generation, folder->path_of(name), written_at(*folder, name), {}, {}};
    try {
      const CheckpointManifest read = read_manifest(run_, generation);
      for (const CheckpointPart& part : read.parts) (void)read_part(run_, generation, part);
      without_history[generation] = read.own.header;
      verify_history(run_, read.history);
      file.header = read.own.header;
    } catch (const BadBytes& error) {
      file.problem = problem_of(*folder, file.path, error);
    } catch (const BadData& error) {
      file.problem = error.what();
    } catch (const Error& error) {
      file.problem = error.what();
      file.unknown = true;
    }
    if (file.header || folder->has(name)) files.push_back(std::move(file));
  }
  // A run goes on without its history if that of all is damaged.
  if (std::any_of(files.begin(), files.end(),
                  [](const CheckpointFile& file) { return file.header.has_value(); })) {
    return files;
  }
  for (CheckpointFile& file : files) {
    const auto found = without_history.find(file.generation);
    if (found == without_history.end()) continue;
    file.header = found->second;
    file.problem.clear();
  }
  return files;
}

bool CheckpointStore::newest(const std::function<void(const CheckpointManifest&)>& use) {
  const auto taken =
      newest_of(run_, reported_, report_, [&](const Folder&, const CheckpointManifest& read) {
        use(read);
        return true;
      });
  return taken.has_value();
}

std::optional<RunState> CheckpointStore::latest(const std::function<void(const RunState&)>& check) {
  return newest_of(run_, reported_, report_, [&](const Folder&, CheckpointManifest read) {
    RunState state = std::move(read.own);
    for (const CheckpointPart& part : read.parts) {
      RunState its = read_part(run_, state.header.generation, part);
      std::move(its.sections.begin(), its.sections.end(), std::back_inserter(state.sections));
    }
    check(state);
    return state;
  });
}

}  // namespace atl::io
