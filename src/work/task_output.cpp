#include "src/work/task_output.hpp"

#include <csignal>
#include <fcntl.h>
#include <span>
#include <utility>

#include "src/work/standard_streams.hpp"
#include "src/work/text_spool.hpp"

namespace atl {
namespace {

/// Does no other process have the file open? Not known everywhere.
bool is_surely_unshared(const io::Folder& folder, const char* name) {
  const io::Descriptor file = folder.open_in_place(name);
  // A lease is had where nobody else has the file open. Whoever opens it meanwhile has a signal
  // sent, by default one that ends this process.
  if (::fcntl(file.get(), F_SETSIG, SIGURG) != 0) return false;
  if (::fcntl(file.get(), F_SETLEASE, F_WRLCK) != 0) return false;
  return ::fcntl(file.get(), F_SETLEASE, F_UNLCK) == 0;
}

/// A process that was taken over may still hold the file, and write to it before it knows.
void leave_to_others(const io::Folder& folder, const char* name, std::uint64_t size) {
  io::AtomicFile copy(folder, name);
  read_spooled(folder, name, size,
               [&](std::string_view text) { copy.append(std::as_bytes(std::span(text))); });
  copy.commit();
}

}  // namespace

void TaskOutput::write(std::string_view text) {
  if (!file_) {
    if (!write_stdout_exactly(text)) throw ReaderGone();
    return;
  }
  const auto bytes = std::as_bytes(std::span(text));
  file_->append(bytes);
  if (hasher_) hasher_->update(bytes);
  size_ += bytes.size();
}

const std::vector<TextPart>& TaskOutput::park(const io::Folder& folder) {
  file_->park(folder, parked_name);
  if (size_ > 0) {
    const Hash128 hash = hasher_ ? hasher_->digest() : hash_of_file(folder, parked_name, size_);
    parked_.push_back({0, size_, hash});
  }
  size_ = 0;
  hasher_.emplace();
  return parked_;
}

void TaskOutput::take_up(const io::Folder& folder, std::vector<TextPart> parked) {
  std::uint64_t size = 0;
  for (const TextPart& part : parked) size += part.size;
  const std::string path = file_->path();
  file_.reset();
  if (!is_surely_unshared(folder, parked_name)) leave_to_others(folder, parked_name, size);
  file_ = std::make_unique<io::AtomicFile>(path, folder, parked_name, size);
  parked_ = std::move(parked);
  hasher_.emplace();
}

}  // namespace atl
