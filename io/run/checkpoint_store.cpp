#include "io/run/checkpoint_store.hpp"

#include <algorithm>
#include <charconv>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>

#include "io/atomic_file.hpp"
#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/h5_writer.hpp"
#include "io/hdf5/trailer.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

constexpr std::string_view prefix = "checkpoint-";
constexpr std::string_view suffix = ".h5";
constexpr const char* checkpoint_format = "atoll.checkpoint";

struct Checkpoint {
  std::uint32_t generation;
  std::string name;
};

std::string file_name(std::uint32_t generation) {
  const std::string digits = std::to_string(generation);
  return std::string(prefix) + std::string(10 - digits.size(), '0') + digits + std::string(suffix);
}

std::optional<std::uint32_t> generation_of(const std::string& name) {
  std::uint32_t generation = 0;
  const char* const digits = name.data() + std::min(name.size(), prefix.size());
  const auto end = std::from_chars(digits, name.data() + name.size(), generation);
  if (end.ec != std::errc() || file_name(generation) != name) return std::nullopt;
  return generation;
}

// Newest first.
std::vector<Checkpoint> stored_in(const Folder& folder) {
  std::vector<Checkpoint> found;
  for (const std::string& name : folder.names()) {
    if (const auto generation = generation_of(name)) found.push_back({*generation, name});
  }
  std::sort(found.begin(), found.end(),
            [](const Checkpoint& a, const Checkpoint& b) { return a.generation > b.generation; });
  return found;
}

// What a job left that was killed while it wrote. What cannot be removed is in nobody's way.
void remove_partial(const Folder& folder) {
  for (const std::string& name : folder.names()) {
    if (name.starts_with(prefix) && is_temporary_name(name)) folder.remove_if_possible(name);
  }
}

// Removes a folder, pipe or link that has a checkpoint's name.
void make_room(const Folder& folder, const std::string& name) {
  struct stat status {};
  const bool there =
      ::fstatat(folder.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (there && !S_ISREG(status.st_mode)) folder.remove(name);
}

void check_version(std::uint64_t version, const std::string& path) {
  const auto newest = static_cast<std::uint64_t>(CheckpointVersion::latest);
  if (version <= newest) return;
  throw BadData(path, "checkpoint version " + std::to_string(version) +
                          " is newer than this program's, which reads up to version " +
                          std::to_string(newest));
}

/// @throws Damaged if an older checkpoint should be taken instead
struct Damaged {
  std::string problem;
};

/// What is said of a checkpoint by its content, or by a folder, a pipe or a link to nowhere in its
/// place. An error of the system (IoError) says nothing of it.
template <typename Work>
auto or_damaged(Work work) {
  try {
    return work();
  } catch (const BadData& error) {
    throw Damaged{error.what()};
  } catch (const MissingInput& error) {
    throw Damaged{error.what()};
  }
}

std::vector<std::uint8_t> read_state(const Folder& folder, const std::string& name) {
  const std::string path = folder.path_of(name);
  const Hdf5Names names{{"format", "version"}, {"state"}};
  const auto file =
      or_damaged([&] { return std::make_unique<Hdf5Reader>(InputFile(folder, name), names); });
  check_version(or_damaged([&] {
                  if (!file->has("format") || file->text("format") != checkpoint_format) {
                    throw BadData(path, "not a checkpoint");
                  }
                  return file->number("version");
                }),
                path);
  return or_damaged([&] { return file->read<std::uint8_t>("state"); });
}

/// The newest checkpoint that `decode` can read.
template <typename Decode>
auto newest(const Folder& run, std::set<std::string>& reported, const Report& report, Decode decode)
    -> std::optional<decltype(decode(std::span<const std::byte>()))> {
  const auto folder = run.folder(run_names::checkpoints);
  if (!folder) return std::nullopt;
  auto found = stored_in(*folder);
  for (std::size_t i = 0; i < found.size();) {
    const std::string path = folder->path_of(found[i].name);
    std::string problem;
    try {
      const auto state = read_state(*folder, found[i].name);
      return decode(std::as_bytes(std::span(state)));
    } catch (const Damaged& damaged) {
      problem = damaged.problem;
    } catch (const BadBytes& error) {
      problem = path + ": " + error.what();
    }
    // A job that works on the run keeps the last few: there are newer ones then.
    if (!folder->has(found[i].name)) {
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
  throw BadData(folder->path(), "no checkpoint can be read, all " + std::to_string(found.size()) +
                                    " are damaged; without them the run would begin again");
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

void CheckpointStore::save(const RunState& state) {
  const Folder folder = run_.make_folder(run_names::checkpoints);
  const std::string name = file_name(state.header.generation);
  const Bytes bytes = encode(state);
  making(folder.path_of(name), [&] {
    Hdf5Writer content;
    content.put("format", checkpoint_format);
    content.put("version", static_cast<std::uint64_t>(state.header.version));
    content.put("generation", state.header.generation);
    content.put("experiment", to_hex(state.header.experiment));
    content.put("dataset", to_hex(state.header.dataset));
    content.write("state",
                  std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
    make_room(folder, name);
    remove_partial(folder);
    AtomicFile file(folder, name);
    content.finish(file);
    append_trailer(file);
    file.commit();
  });

  // Later ones, of which the run could not go on, are left: they may not push this one out.
  std::uint32_t kept = 0;
  const auto names = folder.names();
  for (auto old = names.rbegin(); old != names.rend(); ++old) {
    const auto generation = generation_of(*old);
    if (!generation || *generation > state.header.generation || ++kept <= keep_) continue;
    try {
      folder.remove(*old);
    } catch (const Error& error) {
      report_(Severity::warning, error.what());
    }
  }
}

std::optional<RunStateHeader> CheckpointStore::latest_header(
    const std::function<bool(const RunStateHeader&)>& is_own) {
  std::optional<RunStateHeader> other;
  try {
    return newest(run_, reported_, report_, [&](std::span<const std::byte> bytes) {
      RunStateHeader header = decode_header(bytes);
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
  for (const auto& [generation, name] : stored_in(*folder)) {
    CheckpointFile file{generation, folder->path_of(name), written_at(*folder, name), {}, {}};
    try {
      const auto state = read_state(*folder, name);
      file.header = decode_header(std::as_bytes(std::span(state)));
    } catch (const Damaged& damaged) {
      file.problem = damaged.problem;
    } catch (const BadBytes& error) {
      file.problem = file.path + ": " + error.what();
    } catch (const BadData& error) {
      file.problem = error.what();
    } catch (const Error& error) {
      file.problem = error.what();
      file.unknown = true;
    }
    if (file.header || folder->has(name)) files.push_back(std::move(file));
  }
  return files;
}

std::optional<RunState> CheckpointStore::latest(const std::function<void(const RunState&)>& check) {
  return newest(run_, reported_, report_, [&](std::span<const std::byte> bytes) {
    RunState state = decode_run_state(bytes);
    check(state);
    return state;
  });
}

}  // namespace atl::io
