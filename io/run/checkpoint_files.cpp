#include "io/run/checkpoint_files.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <functional>
#include <string_view>
#include <sys/stat.h>
#include <utility>

#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/h5_writer.hpp"
#include "io/hdf5/trailer.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/input_file.hpp"

namespace atl::io {
namespace {

constexpr std::size_t read_at_once = std::size_t{1} << 20;

std::string path_in(const Folder& run) {
  return run.path_of(run_names::checkpoints) + "/" + run_names::kept_history;
}

/// Calls `use` with the first bytes of the file, piece by piece, and compares their hash.
template <typename Use>
Hasher read_up_to(const Folder& run, const HistoryEnd& end, Use use) {
  Hasher hasher;
  if (end.bytes == 0) return hasher;
  const auto damaged = [&] { return BadBytes(path_in(run) + ": damaged, or not that of the run"); };
  try {
    const auto folder = run.folder(run_names::checkpoints);
    if (!folder) throw damaged();
    const InputFile file(*folder, run_names::kept_history);
    if (file.size() < end.bytes) throw damaged();
    std::vector<std::byte> buffer(read_at_once);
    for (std::uint64_t at = 0; at < end.bytes; at += buffer.size()) {
      const auto piece = std::span(buffer).first(
          static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end.bytes - at)));
      file.read(at, piece);
      hasher.update(piece);
      use(piece);
    }
  } catch (const MissingInput& error) {
    throw BadBytes(error.what());
  }
  if (hasher.digest() != end.hash) throw damaged();
  return hasher;
}

constexpr std::string_view prefix = "checkpoint-";
constexpr std::string_view suffix = ".h5";
constexpr const char* checkpoint_format = "atoll.checkpoint";
constexpr const char* part_format = "atoll.checkpoint-part";
// Tells which parts and how much history belong to a checkpoint.
constexpr const char* parts_section = "parts";
constexpr std::uint32_t parts_version = 1;
constexpr std::size_t generation_digits = 10, hash_digits = 16;

std::string stem(std::uint32_t generation) {
  const std::string digits = std::to_string(generation);
  return std::string(prefix) + std::string(generation_digits - digits.size(), '0') + digits;
}

std::optional<std::uint32_t> generation_with(const std::string& name, std::size_t length) {
  if (name.size() != length || !name.starts_with(prefix) || !name.ends_with(suffix)) return {};
  std::uint32_t generation = 0;
  const char* const digits = name.data() + prefix.size();
  const auto end = std::from_chars(digits, digits + generation_digits, generation);
  if (end.ec != std::errc() || !name.starts_with(stem(generation))) return std::nullopt;
  return generation;
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

Section section_of(const CheckpointManifest& checkpoint) {
  ByteWriter out;
  out.put(checkpoint.history.bytes);
  put(out, checkpoint.history.hash);
  out.put(static_cast<std::uint64_t>(checkpoint.parts.size()));
  for (const CheckpointPart& part : checkpoint.parts) {
    out.put(part.first_island);
    put(out, part.hash);
  }
  return {parts_section, parts_version, std::move(out).take()};
}

void write_state(
    const Folder& run, const std::string& name, const char* format, std::uint32_t generation,
    std::span<const std::byte> state,
    const std::function<void(Hdf5Writer&)>& put_more = [](Hdf5Writer&) {}) {
  const Folder folder = run.make_folder(run_names::checkpoints);
  making(folder.path_of(name), [&] {
    Hdf5Writer content;
    content.put("format", format);
    content.put("version", static_cast<std::uint64_t>(CheckpointVersion::latest));
    content.put("generation", generation);
    put_more(content);
    content.write("state",
                  std::span(reinterpret_cast<const std::uint8_t*>(state.data()), state.size()));
    make_room(folder, name);
    AtomicFile file(folder, name);
    content.finish(file);
    append_trailer(file);
    file.commit();
  });
}

/// Calls a checkpoint damaged by its content, or by a folder, a pipe or a link to nowhere in its
/// place. An error of the system (IoError) says nothing of it.
template <typename Work>
auto or_damaged(Work work) {
  try {
    return work();
  } catch (const BadData& error) {
    throw BadBytes(error.what());
  } catch (const MissingInput& error) {
    throw BadBytes(error.what());
  }
}

/// Decodes the state that a file holds.
template <typename Decode>
auto read_state(const Folder& run, const std::string& name, const char* format, Decode decode) {
  const auto folder = run.folder(run_names::checkpoints);
  if (!folder) throw BadBytes(run.path_of(run_names::checkpoints) + ": missing");
  const std::string path = folder->path_of(name);
  const Hdf5Names names{{"format", "version"}, {"state"}};
  std::uint64_t version = 0;
  const auto bytes = or_damaged([&] {
    const Hdf5Reader file(InputFile(*folder, name), names);
    if (!file.has("format") || file.text("format") != format) {
      throw BadData(path, "not a checkpoint");
    }
    version = file.number("version");
    return file.read<std::uint8_t>("state");
  });
  check_version(version, path);
  try {
    return decode(std::as_bytes(std::span(bytes)));
  } catch (const BadBytes& error) {
    throw BadBytes(path + ": " + error.what());
  }
}

}  // namespace

void verify_history(const Folder& run, const HistoryEnd& end) {
  (void)read_up_to(run, end, [](std::span<const std::byte>) {});
}

HistoryFile::HistoryFile(const Folder& run, const HistoryEnd& end)
    : run_(run),
      bytes_(end.bytes),
      hasher_(read_up_to(run, end, [](std::span<const std::byte>) {})) {}

void HistoryFile::append(std::span<const std::byte> bytes) {
  const std::string path = path_in(run_);
  const auto expect = [&](bool done) {
    if (!done) throw_write_error(path, errno);
  };
  const Folder folder = run_.make_folder(run_names::checkpoints);
  const Descriptor file = folder.open_in_place(run_names::kept_history);
  struct stat status {};
  expect(::fstat(file.get(), &status) == 0);
  if (static_cast<std::uint64_t>(status.st_size) < bytes_) {
    throw CannotCreate(path, "was removed or cut off while the run was worked on");
  }
  expect(::ftruncate(file.get(), static_cast<off_t>(bytes_)) == 0);
  write_at(file.get(), bytes_, bytes, path);
  expect(::fsync(file.get()) == 0);
  hasher_.update(bytes);
  bytes_ += bytes.size();
}

Bytes HistoryFile::read() const {
  Bytes all;
  read_up_to(run_, end(), [&](std::span<const std::byte> piece) {
    all.insert(all.end(), piece.begin(), piece.end());
  });
  return all;
}

Bytes encode(const CheckpointManifest& checkpoint) {
  RunState own = checkpoint.own;
  own.sections.push_back(section_of(checkpoint));
  return encode(own);
}

CheckpointManifest decode_manifest(std::span<const std::byte> bytes) {
  CheckpointManifest checkpoint;
  checkpoint.own = decode_run_state(bytes);
  auto& sections = checkpoint.own.sections;
  const auto found = std::find_if(sections.begin(), sections.end(), [](const Section& section) {
    return section.name == parts_section;
  });
  if (found == sections.end()) return checkpoint;
  ByteReader in(checkpoint.own.section(parts_section, parts_version));
  checkpoint.history.bytes = in.get<std::uint64_t>();
  checkpoint.history.hash = get_hash(in);
  constexpr std::size_t part_bytes = sizeof(std::uint32_t) + 2 * sizeof(std::uint64_t);
  std::uint32_t last = 0;
  for (std::size_t left = in.get_count(part_bytes); left > 0; --left) {
    const auto first_island = in.get<std::uint32_t>();
    require_bytes(first_island > last, "its parts are out of order");
    checkpoint.parts.push_back({first_island, get_hash(in)});
    last = first_island;
  }
  in.expect_end();
  sections.erase(found);
  return checkpoint;
}

std::string checkpoint_name(std::uint32_t generation) {
  return stem(generation) + std::string(suffix);
}

std::string part_name(std::uint32_t generation, const CheckpointPart& part) {
  return stem(generation) + "-" + to_hex(part.hash).substr(0, hash_digits) + std::string(suffix);
}

std::optional<std::uint32_t> generation_of(const std::string& name) {
  return generation_with(name, prefix.size() + generation_digits + suffix.size());
}

std::optional<std::uint32_t> generation_of_part(const std::string& name) {
  const std::size_t length = prefix.size() + generation_digits + 1 + hash_digits + suffix.size();
  return generation_with(name, length);
}

CheckpointPart write_part(const Folder& run, std::uint32_t generation, std::uint32_t first_island,
                          std::span<const std::byte> state) {
  const CheckpointPart part{first_island, hash_bytes(state)};
  write_state(run, part_name(generation, part), part_format, generation, state);
  return part;
}

void write_manifest(const Folder& run, const CheckpointManifest& checkpoint) {
  const RunStateHeader& header = checkpoint.own.header;
  write_state(run, checkpoint_name(header.generation), checkpoint_format, header.generation,
              encode(checkpoint), [&](Hdf5Writer& content) {
                content.put("experiment", to_hex(header.experiment));
                content.put("dataset", to_hex(header.dataset));
              });
}

CheckpointManifest read_manifest(const Folder& run, std::uint32_t generation) {
  return read_state(run, checkpoint_name(generation), checkpoint_format,
                    [&](std::span<const std::byte> state) {
                      CheckpointManifest read = decode_manifest(state);
                      require_bytes(read.own.header.generation == generation,
                                    "it is the checkpoint of another generation");
                      return read;
                    });
}

RunState read_part(const Folder& run, std::uint32_t generation, const CheckpointPart& part) {
  return read_state(
      run, part_name(generation, part), part_format, [&](std::span<const std::byte> state) {
        require_bytes(hash_bytes(state) == part.hash, "not the part of this checkpoint");
        return decode_run_state(state);
      });
}

}  // namespace atl::io
