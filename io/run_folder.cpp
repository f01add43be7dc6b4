#include "io/run_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/input_file.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

namespace fs = std::filesystem;

// Other programs have a config.toml, too.
bool is_run(const RunPaths& paths) {
  std::error_code error;
  if (!fs::is_regular_file(paths.config, error)) return false;
  const std::string config = read_file(paths.config);
  return config.find("[experiment]") != std::string::npos &&
         config.find("[machine]") != std::string::npos;
}

void remove_entry(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) throw_write_error(path.string(), error.value());
}

// Entries of a folder, sorted; none if it is not there.
std::vector<fs::path> entries(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_checkpoint(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with("checkpoint-") && (name.ends_with(".h5") || is_temporary_name(name));
}

void rename_entry(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw_write_error(to.string(), error.value());
}

void make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw_write_error(path, error.value());
}

// What a job that was killed left beside a file it was writing.
bool is_own_temporary(const RunPaths& paths, const fs::path& path) {
  const std::string name = path.filename().string();
  const auto of = [&](const std::string& file) {
    return is_temporary_of(fs::path(file).filename().string(), name);
  };
  return of(paths.config) || of(paths.rules_csv) || of(paths.rules_json) || of(paths.history) ||
         of(paths.data) || of(paths.runs);
}

// The files of a run that are there, relative to its folder; not config.toml.
std::vector<fs::path> own_files(const RunPaths& paths) {
  std::vector<fs::path> files;
  for (const fs::path& path : entries(paths.checkpoints)) {
    if (is_checkpoint(path)) files.push_back("checkpoints" / path.filename());
  }
  for (const fs::path& path : entries(paths.folder)) {
    if (is_own_temporary(paths, path)) files.push_back(path.filename());
  }
  std::error_code error;
  for (const fs::path path : {paths.rules_csv, paths.rules_json, paths.history, paths.log,
                              paths.data, paths.stop, paths.runs}) {
    if (fs::exists(fs::symlink_status(path, error))) files.push_back(path.filename());
  }
  return files;
}

// config.toml goes last: as long as it is there, the folder is a RUN.
void remove_run(const RunPaths& paths) {
  for (const fs::path& file : own_files(paths)) remove_entry(paths.folder / file);
  if (entries(paths.checkpoints).empty()) remove_entry(paths.checkpoints);
  remove_entry(paths.config);
}

// A run about to be replaced waits in `former`. Its config.toml tells whose the files in RUN are:
// while it lies in `former`, the new run's; else RUN is the former run itself, and what is in
// `former` belongs to it. Each step is one rename, so this holds whenever the process ends.
RunPaths former_of(const RunPaths& paths) {
  return RunPaths(paths.folder + "/.former");
}

// What `former` becomes when it is no longer needed, to be removed.
RunPaths replaced_of(const RunPaths& paths) {
  return RunPaths(paths.folder + "/.replaced");
}

bool has_former(const RunPaths& paths) {
  std::error_code error;
  return fs::is_directory(former_of(paths).folder, error);
}

void move_files(const RunPaths& from, const RunPaths& to) {
  make_folders(to.checkpoints);
  for (const fs::path& file : own_files(from)) rename_entry(from.folder / file, to.folder / file);
}

void set_aside(const RunPaths& paths) {
  const RunPaths former = former_of(paths);
  move_files(paths, former);
  rename_entry(paths.config, former.config);
}

// Returns whether there was one.
bool put_former_back(const RunPaths& paths) {
  const RunPaths former = former_of(paths);
  const RunPaths replaced = replaced_of(paths);
  remove_run(replaced);
  remove_entry(replaced.folder);
  if (!has_former(paths)) return false;
  std::error_code error;
  if (fs::exists(former.config, error)) {
    remove_run(paths);
    rename_entry(former.config, paths.config);
  }
  move_files(former, paths);
  remove_entry(former.checkpoints);
  remove_entry(former.folder);
  return true;
}

/// @throws MissingInput if there is no such folder, or none that can be read
RunPaths paths_in_folder(const std::string& folder) {
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw MissingInput(folder, "is a file, expected the folder of a run");
  }
  if (!fs::is_directory(status)) throw MissingInput(folder, "no such folder");
  RunPaths paths(folder);
  if (fs::status(paths.config, error).type() == fs::file_type::none) {
    throw MissingInput(folder, "cannot be read: " + error.message());
  }
  return paths;
}

MissingInput no_run(const std::string& folder) {
  return {folder, "is no run: it has no config.toml of atoll"};
}

// What a run leaves that ended before it had written anything.
bool is_unused(const RunPaths& paths) {
  for (const fs::path& path : entries(paths.folder)) {
    const bool ours = path.filename() == "lock" || path == paths.checkpoints;
    if (!ours && !is_own_temporary(paths, path)) return false;
  }
  return entries(paths.checkpoints).empty();
}

}  // namespace

RunPaths::RunPaths(const std::string& folder)
    : folder(folder),
      config(folder + "/config.toml"),
      rules_csv(folder + "/rules.csv"),
      rules_json(folder + "/rules.json"),
      history(folder + "/history.csv"),
      log(folder + "/log.jsonl"),
      checkpoints(folder + "/checkpoints"),
      data(folder + "/data.h5"),
      stop(folder + "/stop"),
      runs(folder + "/runs.json") {}

bool is_collected(const RunPaths& run) {
  std::error_code error;
  return fs::exists(run.runs, error);
}

void expect_mined(const RunPaths& run) {
  if (!is_collected(run)) return;
  throw UsageError(run.folder +
                   ": was collected from other runs; go on with those, then collect them again");
}

void expect_free(const std::string& folder, bool force) {
  if (folder.empty()) throw UsageError("the folder of the run has no name");
  const RunPaths paths(folder);
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw CannotCreate(folder, "exists and is not a folder");
  }
  const bool occupied = is_run(paths) || has_former(paths);
  if (occupied && !force) {
    throw UsageError(folder + ": holds a run already; resume it, or give --force to replace it");
  }
  if (!occupied && !is_unused(paths)) {
    throw UsageError(folder + ": is neither empty nor a run; it is left as it is");
  }
}

std::unique_ptr<RunLock> create_run(const std::string& folder, bool force,
                                    const LockOptions& options) {
  expect_free(folder, force);
  const RunPaths paths(folder);
  make_folders(folder);
  auto lock = std::make_unique<RunLock>(folder, options);
  remove_temporaries(paths);
  put_former_back(paths);
  if (is_run(paths)) set_aside(paths);
  make_folders(paths.checkpoints);
  return lock;
}

void remove_temporaries(const RunPaths& run) {
  std::error_code ignored;
  for (const fs::path& path : entries(run.folder)) {
    if (is_own_temporary(run, path)) fs::remove(path, ignored);
  }
}

void abandon_run(const std::string& folder) {
  const RunPaths paths(folder);
  if (put_former_back(paths)) return;
  remove_run(paths);
  std::error_code ignored;
  fs::remove(folder + "/lock", ignored);
  fs::remove(folder, ignored);  // unless other things are in it
}

void drop_former_run(const std::string& folder) {
  const RunPaths paths(folder);
  if (!has_former(paths)) return;
  const RunPaths replaced = replaced_of(paths);
  rename_entry(former_of(paths).folder, replaced.folder);
  remove_run(replaced);
  remove_entry(replaced.folder);
}

bool require_run(const std::string& folder, const LockOptions& options) {
  const RunPaths paths = paths_in_folder(folder);
  bool put_back = false;
  if (has_former(paths)) {
    const RunLock lock(folder, options);
    put_back = put_former_back(paths);
  }
  if (!is_run(paths)) throw no_run(folder);
  return put_back;
}

RunPaths find_run(const std::string& folder) {
  RunPaths paths = paths_in_folder(folder);
  RunPaths former = former_of(paths);
  const bool new_one_begins = run_owner(folder).has_value() && is_run(paths);
  if (!new_one_begins && is_run(former)) return former;
  if (!is_run(paths)) throw no_run(folder);
  return paths;
}

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.append(std::as_bytes(std::span(content.data(), content.size())));
  file.commit();
}

std::string read_file(const std::string& path) {
  const InputFile file(path);
  std::string content(file.size(), '\0');
  file.read(0, std::as_writable_bytes(std::span(content.data(), content.size())));
  return content;
}

}  // namespace atl::io
