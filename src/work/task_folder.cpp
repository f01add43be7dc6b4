#include "src/work/task_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <sys/stat.h>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/stopwatch.hpp"
#include "src/work/task_output.hpp"
#include "src/work/text_spool.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark_name = "atoll";
constexpr std::string_view mark = "a checkpoint of atoll\n";
constexpr const char* state_name = "state";
constexpr const char* stop_name = "stop";
constexpr std::uint64_t most_state_bytes = std::uint64_t{1} << 32;
constexpr double between_looks = 5e-3;

/// Does a task keep something under this name? It goes with the state.
bool is_kept_name(const std::string& name) {
  return name == state_name || name == TaskOutput::parked_name || TextSpool::is_file_name(name) ||
         io::is_temporary_of(state_name, name) ||
         io::is_temporary_of(TaskOutput::parked_name, name);
}

bool is_ours(const std::string& name) {
  return name == mark_name || name == io::lock_name || name == stop_name || is_kept_name(name);
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void write_mark(const io::Folder& folder) {
  const io::Descriptor file = folder.open_in_place(mark_name);
  io::write_at(file.get(), 0, std::as_bytes(std::span(mark)), folder.path_of(mark_name));
}

void expect_mark(const io::Folder& folder) {
  const std::vector<std::string> names = folder.names();
  if (names.empty()) return write_mark(folder);  // its process ended before it had written it
  constexpr std::uint64_t most = 4096;
  if (folder.has(mark_name) && io::read_file(folder, mark_name, most) == mark) return;
  throw CannotCreate(folder.path(),
                     "is no checkpoint of atoll and stays as it is; move it away, or write to "
                     "another file");
}

/// @param parent  where it is, or is made
io::Folder open_marked(const io::Folder& parent, const std::string& name) {
  if (std::optional<io::Folder> folder = parent.own_folder(name)) {
    expect_mark(*folder);
    return std::move(*folder);
  }
  (void)parent.make_private_folder(name);
  std::optional<io::Folder> folder = parent.own_folder(name);
  if (!folder) throw CannotCreate(parent.path_of(name), "was removed as it was made");
  try {
    expect_mark(*folder);
  } catch (const Error&) {  // as where the disk is full
    folder->remove_if_possible(mark_name);
    parent.remove_if_possible(name);
    throw;
  }
  return std::move(*folder);
}

/// Text of these parts, one behind the other in a file. @throws BadBytes if it is not what was
/// written, IoError, MissingInput
void expect_text(const io::Folder& folder, const std::string& name,
                 std::span<const TextPart> parts) {
  std::uint64_t size = 0;
  for (const TextPart& part : parts) size += part.size;
  Hasher hasher;
  auto part = parts.begin();
  std::uint64_t left = parts.empty() ? 0 : part->size;
  read_spooled(folder, name, size, [&](std::string_view text) {
    auto bytes = std::as_bytes(std::span(text));
    while (!bytes.empty()) {
      const auto here = bytes.first(std::min<std::uint64_t>(left, bytes.size()));
      hasher.update(here);
      left -= here.size();
      bytes = bytes.subspan(here.size());
      if (left > 0) continue;
      require_bytes(hasher.digest() == part->hash, "its text is not what was written");
      hasher = Hasher();
      if (++part != parts.end()) left = part->size;
    }
  });
}

void expect_texts(const io::Folder& folder, const TaskState& state) {
  expect_text(folder, TaskOutput::parked_name, state.output);
  for (const auto& item : state.items) {
    if (const auto* const text = std::get_if<TextPart>(&item)) {
      expect_text(folder, TextSpool::file_name(text->file), std::span(text, 1));
    }
  }
}

}  // namespace

TaskFolder::TaskFolder(const std::string& output, const Report& report)
    : path_(output + ".checkpoint"),
      name_(fs::path(path_).filename().string()),
      parent_(folder_of(path_).string(), io::Access::write),
      report_(report) {
  io::LockOptions options;
  options.report = report;
  options.what = path_;
  // One that has just ended may remove the folder that this one waits for.
  for (int attempt = 0; attempt < 3; ++attempt) {
    lock_ = std::make_unique<io::FolderLock>(open_marked(parent_, name_), options);
    if (lock_->folder().is_in_place() && !lock_->is_removed()) break;
  }
  (void)held();
}

TaskFolder::~TaskFolder() {
  if (!is_kept()) remove();
}

const io::Folder& TaskFolder::held() const {
  lock_->require_held();
  if (lock_->is_removed()) {
    throw CannotCreate(path_,
                       "its lock was removed while it was worked on; nothing more is written");
  }
  return lock_->folder();
}

bool TaskFolder::is_held() const noexcept {
  try {
    (void)held();
    return true;
  } catch (const Error&) {
    return false;
  }
}

void TaskFolder::expect_held() {
  if (seconds_since(last_look_) < between_looks) return;
  (void)held();
  last_look_ = std::chrono::steady_clock::now();
}

std::optional<TaskState> TaskFolder::load(const std::function<const Identity&()>& identity,
                                          bool force,
                                          const std::function<void(const TaskState&)>& expect) {
  const io::Folder& folder = held();
  folder.remove(stop_name);  // an earlier job was meant
  if (!folder.has(state_name)) {
    const std::vector<std::string> names = folder.names();
    if (std::ranges::any_of(names, is_kept_name)) {
      report_(Severity::warning, path_ + " holds no state, the work begins again");
    }
    remove_kept();
    return std::nullopt;
  }
  std::string problem;
  try {
    if (auto state = read(identity(), force)) {
      expect(*state);
      return state;
    }
  } catch (const BadBytes& error) {
    problem = error.what();
  } catch (const IoError& error) {
    problem = error.what();
  } catch (const MissingInput& error) {
    problem = error.what();
  }
  if (!problem.empty()) {
    report_(Severity::warning, path_ + " is damaged, the work begins again: " + problem);
  }
  remove_kept();
  return std::nullopt;
}

/// @return none if it is another's and may go
std::optional<TaskState> TaskFolder::read(const Identity& identity, bool force) {
  const std::string bytes = io::read_file(lock_->folder(), state_name, most_state_bytes);
  std::string is_of;
  try {
    TaskState state = decode_task_state(std::as_bytes(std::span(bytes)));
    const std::string other = difference(identity, state.identity);
    if (state.identity.task == identity.task && state.identity.version != identity.version) {
      throw OtherVersion("it is of another version of atoll");
    }
    if (other.empty()) {
      expect_texts(lock_->folder(), state);
      return state;
    }
    is_of = state.identity.task == identity.task ? "of a task with " + other : "of " + other;
  } catch (const OtherVersion&) {
    is_of = "of another version of atoll";
  }
  if (!force) {
    throw UsageError(path_ + ": is " + is_of +
                     "; write to another file, or begin again with --force");
  }
  report_(Severity::info, path_ + " was " + is_of + " and is replaced");
  return std::nullopt;
}

void TaskFolder::expect_nothing_kept(const std::string& command, bool force) {
  const Identity none{command, 0, {}};  // that of no task
  (void)load([&]() -> const Identity& { return none; }, force,
             [](const TaskState&) { throw BadBytes("it is of no task"); });
}

void TaskFolder::remove_kept() const {
  const io::Folder& folder = lock_->folder();
  // The state first: without it, what else there is counts for nothing.
  folder.remove(state_name);
  for (const std::string& name : folder.names()) {
    if (is_kept_name(name)) folder.remove(name);
  }
}

void TaskFolder::save(const TaskState& state) {
  const Bytes bytes = encode(state);
  io::AtomicFile file(held(), state_name);
  file.append(bytes);
  (void)held();
  file.commit();
}

bool TaskFolder::is_kept() const {
  return !removed_ && lock_->folder().has(state_name);
}

bool TaskFolder::tells_to_stop() const {
  return lock_->folder().has(stop_name);
}

void TaskFolder::remove() noexcept {
  if (removed_) return;
  try {
    const io::Folder& folder = held();
    removed_ = true;
    remove_kept();
    folder.remove_if_possible(stop_name);
    // The folder keeps its mark if somebody's files are in it.
    if (std::ranges::all_of(folder.names(), is_ours)) {
      folder.remove_if_possible(mark_name);
      folder.remove_if_possible(io::lock_name);
      parent_.remove_if_possible(name_);
    }
  } catch (const Error&) {  // the output is there
  }
}

}  // namespace atl
