#include "io/run/history_file.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

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

}  // namespace atl::io
