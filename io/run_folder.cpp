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

// config.toml goes last: as long as it is there, the folder is a RUN.
void remove_run(const RunPaths& paths) {
  for (const fs::path& path : entries(paths.checkpoints)) {
    if (is_checkpoint(path)) remove_entry(path);
  }
  if (entries(paths.checkpoints).empty()) remove_entry(paths.checkpoints);
  const auto known = {paths.rules_csv, paths.rules_json, paths.history, paths.log,
                      paths.data,      paths.stop,       paths.config};
  for (const fs::path& path : entries(paths.folder)) {
    if (is_temporary_name(path.filename().string())) remove_entry(path);
  }
  for (const std::string& path : known) remove_entry(path);
}

// What a run leaves that ended before it had written anything.
bool is_unused(const RunPaths& paths) {
  for (const fs::path& path : entries(paths.folder)) {
    const bool ours = path.filename() == "lock" || path == paths.checkpoints;
    if (!ours) return false;
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
      stop(folder + "/stop") {}

void create_run(const std::string& folder, bool force) {
  const RunPaths paths(folder);
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw CannotCreate(folder, "exists and is not a folder");
  }
  if (is_run(paths)) {
    if (!force) {
      throw UsageError(folder + ": holds a run already; resume it, or give --force to replace it");
    }
    const RunLock lock(folder);
    remove_run(paths);
  } else if (!is_unused(paths)) {
    throw UsageError(folder + ": is neither empty nor a run; it is left as it is");
  }
  fs::create_directories(paths.checkpoints, error);
  if (error) throw_write_error(folder, error.value());
}

void require_run(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw MissingInput(folder, "no such folder");
  if (!is_run(RunPaths(folder)))
    throw MissingInput(folder, "is no run: it has no config.toml of atoll");
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
