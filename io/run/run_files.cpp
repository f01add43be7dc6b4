#include "io/run/run_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/temporary_file.hpp"

namespace atl::io {
namespace {

namespace names = run_names;

constexpr std::string_view repeat_prefix = "repeat-";

// The files of a run but for config.toml, which tells whose they are, and the lock, which is no
// run's.
constexpr std::array own_files = {names::rules_csv,
                                  names::rules_json,
                                  names::history,
                                  names::holdout,
                                  names::log,
                                  names::data,
                                  names::stop,
                                  names::runs,
                                  names::classifier_json,
                                  names::classifier_text,
                                  names::classifier_pmml};

bool is_checkpoint(const std::string& name) {
  return name == names::kept_history ||
         (name.starts_with("checkpoint-") && (name.ends_with(".h5") || is_temporary_name(name)));
}

// Is it what a job that was killed left of a file that it was writing?
bool is_left(const std::string& name) {
  const auto of = [&](const std::string& file) { return is_temporary_of(file, name); };
  return is_spool_name(name) || of(names::config) ||
         std::any_of(own_files.begin(), own_files.end(), of);
}

std::vector<std::string> checkpoints_in(const Folder& run) {
  std::vector<std::string> found;
  const auto folder = run.folder(names::checkpoints);
  if (folder) found = folder->names();
  std::erase_if(found, [](const std::string& name) { return !is_checkpoint(name); });
  return found;
}

std::vector<std::string> files_in(const Folder& run) {
  std::vector<std::string> found = run.names();
  std::erase_if(found, [](const std::string& name) {
    const bool own = std::find(own_files.begin(), own_files.end(), name) != own_files.end();
    return !own && !is_left(name);
  });
  return found;
}

std::vector<std::string> repeats_in(const Folder& run) {
  std::vector<std::string> found = run.names();
  std::erase_if(found, [&](const std::string& name) {
    if (!is_repeat_name(name)) return true;
    const auto repeat = run.folder(name);
    return !repeat || !is_run(*repeat);
  });
  return found;
}

void expect_plain_files(const Folder& run) {
  for (const char* const name : {names::lock, names::config}) run.expect_file(name);
  for (const char* const name : own_files) run.expect_file(name);
  const auto folder = run.folder(names::checkpoints);
  for (const std::string& name : checkpoints_in(run)) {
    if (!is_temporary_name(name)) folder->expect_file(name);
  }
}

}  // namespace

std::string names::repeat(std::uint32_t number) {
  return std::string(repeat_prefix) + std::to_string(number);
}

bool is_repeat_name(std::string_view name) {
  if (!name.starts_with(repeat_prefix)) return false;
  name.remove_prefix(repeat_prefix.size());
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

void expect_plain(const Folder& run) {
  expect_plain_files(run);
  for (const char* const name : {names::former, names::replaced}) {
    if (const auto folder = run.folder(name)) expect_plain_files(*folder);
  }
}

bool is_run(const Folder& folder) {
  if (!folder.has(names::config)) return false;
  const std::string text = read_file(folder, names::config);
  return text.find("[experiment]") != std::string::npos &&
         text.find("[machine]") != std::string::npos;
}

bool is_unused(const Folder& folder) {
  for (const std::string& name : folder.names()) {
    if (name != names::lock && name != names::checkpoints && !is_left(name)) return false;
  }
  const auto inner = folder.folder(names::checkpoints);
  return !inner || inner->names().empty();
}

void refuse_file_of_run(const std::string& output) {
  namespace fs = std::filesystem;
  std::error_code absent;
  const auto is_run_at = [&](const fs::path& path) {
    try {
      return fs::is_directory(path, absent) && is_run(Folder(path.string(), Access::read));
    } catch (const MissingInput&) {  // a configuration that cannot be read is no run of this user
      return false;
    }
  };
  const fs::path place = fs::weakly_canonical(output, absent);
  const fs::path folder = place.parent_path();
  const std::string name = place.filename().string(), inner = folder.filename().string();
  const bool own = name == names::lock || name == names::config ||
                   std::find(own_files.begin(), own_files.end(), name) != own_files.end();
  const bool within =
      inner == names::checkpoints || inner == names::former || inner.starts_with(names::replaced);
  if ((own && is_run_at(folder)) || (within && is_run_at(folder.parent_path()))) {
    throw UsageError("output " + printable(output, 200) + " is a file of the run");
  }
}

void remove_temporaries(const Folder& run) {
  for (const std::string& name : run.names()) {
    if (is_left(name)) run.remove_if_possible(name);
  }
  const auto folder = run.folder(names::checkpoints);
  for (const std::string& name : checkpoints_in(run)) {
    if (is_temporary_name(name)) folder->remove_if_possible(name);
  }
}

void remove_run(const Folder& run) {
  for (const std::string& name : files_in(run)) run.remove(name);
  if (const auto folder = run.folder(names::checkpoints)) {
    for (const std::string& name : checkpoints_in(run)) folder->remove(name);
    if (folder->names().empty()) run.remove(names::checkpoints);
  }
  for (const std::string& name : repeats_in(run)) {
    const auto repeat = run.folder(name);
    remove_run(*repeat);
    repeat->remove(names::lock);
    if (repeat->names().empty()) run.remove(name);
  }
  run.remove(names::config);
}

void move_run(const Folder& from, const Folder& to) {
  const Folder there = to.make_folder(names::checkpoints);
  if (const auto here = from.folder(names::checkpoints)) {
    for (const std::string& name : checkpoints_in(from)) here->rename(name, there, name);
  }
  for (const std::string& name : files_in(from)) from.rename(name, to, name);
  for (const std::string& name : repeats_in(from)) from.rename(name, to, name);
}

}  // namespace atl::io
