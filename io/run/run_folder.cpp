#include "io/run/run_folder.hpp"

#include <filesystem>
#include <span>

#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/input_file.hpp"

namespace atl::io {
namespace {

namespace fs = std::filesystem;

void make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return;
  std::error_code unknown;  // a name may be too long to look it up
  if (fs::is_symlink(path, unknown)) throw CannotCreate(path, "is a symbolic link to nowhere");
  throw_write_error(path, error.value());
}

// A run about to be replaced waits in `former`. Its config.toml tells whose the files in RUN are:
// while it lies in `former`, the new run's; else RUN is the former run itself, and what is in
// `former` belongs to it. Each step is one rename, so this holds whenever the process ends.
void set_aside(const Folder& run) {
  const Folder former = run.make_folder(run_names::former);
  move_run(run, former);
  run.rename(run_names::config, former, run_names::config);
}

/// `replaced`, or with a number behind it. Nobody else's folder may be emptied.
bool is_replaced_name(std::string_view name) {
  const std::string_view base = run_names::replaced;
  if (!name.starts_with(base)) return false;
  const std::string_view rest = name.substr(base.size());
  return rest.empty() || (rest.size() > 1 && rest[0] == '-' &&
                          rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

// Removes what was replaced, also by a process that ended meanwhile. What somebody reads on a
// network file system stays there under another name, and keeps the folder from being removed; the
// next job tries again.
void remove_replaced(const Folder& run) {
  for (const std::string& name : run.names()) {
    if (!is_replaced_name(name)) continue;
    const auto replaced = run.folder(name);
    if (!replaced) continue;
    try {
      remove_run(*replaced);
      run.remove(name);
    } catch (const Error&) {
    }
  }
}

bool has_former(const Folder& run) {
  return run.folder(run_names::former).has_value();
}

// Returns whether there was one.
bool put_former_back(const Folder& run) {
  const auto former = run.folder(run_names::former);
  if (!former) return false;
  if (former->has(run_names::config)) {
    remove_run(run);
    former->rename(run_names::config, run, run_names::config);
  }
  move_run(*former, run);
  former->remove(run_names::checkpoints);
  run.remove(run_names::former);
  return true;
}

/// Whatever lies in it is fit for the access.
/// @throws MissingInput if there is no such folder, or none that can be read; as expect_plain
Folder folder_at(const std::string& path, Access access) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw MissingInput(path, "is a file, expected the folder of a run");
  }
  if (!fs::is_directory(status)) throw MissingInput(path, "no such folder");
  if (fs::status(RunPaths(path).config, error).type() == fs::file_type::none) {
    throw MissingInput(path, "cannot be read: " + error.message());
  }
  Folder run(path, access);
  expect_plain(run);
  return run;
}

MissingInput no_run(const std::string& folder) {
  return {folder, "is no run: it has no config.toml of atoll"};
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

bool is_collected(const Folder& run) {
  return run.has(run_names::runs);
}

void expect_mined(const Folder& run) {
  if (!is_collected(run)) return;
  throw UsageError(run.path() +
                   ": was collected from other runs; go on with those, then collect them again");
}

namespace {

Folder plain_folder(const std::string& path) {
  Folder run(path, Access::write);
  expect_plain(run);
  return run;
}

}  // namespace

RunLock::RunLock(const std::string& folder, const LockOptions& options)
    : FolderLock(plain_folder(folder), options) {}

namespace {

void expect_free(const Folder& there, bool force) {
  expect_plain(there);
  const bool occupied = is_run(there) || has_former(there);
  if (occupied && !force) {
    throw UsageError(there.path() +
                     ": holds a run already; resume it, or give --force to replace it");
  }
  if (!occupied && !is_unused(there)) {
    throw UsageError(there.path() + ": is neither empty nor a run; it is left as it is");
  }
}

/// The names under which a run keeps what it replaces, and its checkpoints.
void expect_outside_of_runs(const std::string& folder) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(folder, error);
  const std::string name = path.filename().string();
  const bool reserved =
      name == run_names::former || name == run_names::replaced || name == run_names::checkpoints;
  if (reserved && fs::exists(path.parent_path() / run_names::config, error)) {
    throw UsageError(folder + ": is a part of the run " + path.parent_path().string());
  }
}

}  // namespace

void expect_free(const std::string& folder, bool force) {
  if (folder.empty()) throw UsageError("the folder of the run has no name");
  expect_outside_of_runs(folder);
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw CannotCreate(folder, "exists and is not a folder");
  }
  if (fs::exists(status)) expect_free(Folder(folder, Access::write), force);
}

std::unique_ptr<RunLock> create_run(const std::string& folder, bool force,
                                    const LockOptions& options) {
  expect_free(folder, force);
  make_folders(folder);
  auto lock = std::make_unique<RunLock>(folder, options);
  const Folder& run = lock->folder();
  expect_free(run, force);  // what is locked, too: its path may have come to lead elsewhere
  remove_temporaries(run);
  remove_replaced(run);
  put_former_back(run);
  if (is_run(run)) {
    try {
      set_aside(run);
    } catch (const Error&) {
      try {
        put_former_back(run);
      } catch (const Error&) {  // the next job does so, if it may
      }
      throw;
    }
  }
  run.make_folder(run_names::checkpoints);
  return lock;
}

void abandon_run(const RunLock& lock) {
  if (lock.is_taken_over()) return;
  const Folder& run = lock.folder();
  remove_replaced(run);
  if (put_former_back(run)) return;
  if (!run.is_in_place()) return;  // gone, with all that was in it
  remove_run(run);
  run.remove(run_names::lock);
  std::error_code ignored;
  fs::remove(run.path(), ignored);  // unless other things are in it
}

void drop_former_run(const RunLock& lock) {
  lock.require_held();
  const Folder& run = lock.folder();
  if (!has_former(run)) return;
  std::string name = run_names::replaced;
  const std::string stem = name + "-";
  for (int i = 1; run.has(name); ++i) name = stem + std::to_string(i);
  run.rename(run_names::former, run, name);
  remove_replaced(run);
}

std::unique_ptr<RunLock> lock_run(const std::string& folder, const LockOptions& options) {
  {
    const Folder run = folder_at(folder, Access::write);
    if (!is_run(run) && !has_former(run)) throw no_run(folder);
  }
  auto lock = std::make_unique<RunLock>(folder, options);
  const Folder& run = lock->folder();
  remove_temporaries(run);
  remove_replaced(run);
  if (put_former_back(run) && options.report) {
    options.report(Severity::warning,
                   folder + ": the run that was to replace this one ended before it had begun");
  }
  if (!is_run(run)) throw no_run(folder);
  expect_mined(run);
  return lock;
}

Folder find_run(const std::string& folder) {
  Folder run = folder_at(folder, Access::read);
  auto former = run.folder(run_names::former);
  const bool new_one_begins = folder_owner(folder).has_value() && is_run(run);
  if (!new_one_begins && former && is_run(*former)) return std::move(*former);
  if (!is_run(run)) throw no_run(folder);
  return run;
}

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.append(std::as_bytes(std::span(content.data(), content.size())));
  file.commit();
}

void write_file(const Folder& folder, const std::string& name, std::string_view content) {
  folder.require_in_place();
  AtomicFile file(folder, name);
  file.append(std::as_bytes(std::span(content.data(), content.size())));
  file.commit();
}

void write_file(const RunLock& run, const std::string& name, std::string_view content) {
  run.require_held();
  write_file(run.folder(), name, content);
}

std::string read_file(const std::string& path, std::uint64_t most) {
  const InputFile file(path);
  if (file.size() > most) throw_too_long(path, file.size(), most);
  std::string content(file.size(), '\0');
  file.read(0, std::as_writable_bytes(std::span(content.data(), content.size())));
  return content;
}

}  // namespace atl::io
