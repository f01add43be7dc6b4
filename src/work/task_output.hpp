#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/files/atomic_file.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/hash.hpp"
#include "src/work/task_state.hpp"

namespace atl {

/// Ends a task whose output nobody reads.
struct ReaderGone {};

/// Where the text of a task goes: to standard output, or to a file that appears as a whole.
class TaskOutput {
 public:
  /// Standard output.
  TaskOutput() = default;
  /// @throws CannotCreate, IoError
  explicit TaskOutput(const std::string& file) : file_(std::make_unique<io::AtomicFile>(file)) {}

  bool is_file() const noexcept { return file_ != nullptr; }
  /// The file's path, without links. @pre is_file()
  const std::string& path() const noexcept { return file_->path(); }
  /// @throws ReaderGone, CannotCreate, IoError
  void write(std::string_view text);
  /// What was written lasts, in this folder from now on. @return its parts @pre is_file()
  const std::vector<TextPart>& park(const io::Folder& folder);
  /// Goes on where another process has parked. @pre is_file()
  void take_up(const io::Folder& folder, std::vector<TextPart> parked);
  /// @pre is_file()
  void commit() { file_->commit(); }

  static constexpr const char* parked_name = "output";

 private:
  std::unique_ptr<io::AtomicFile> file_;
  std::vector<TextPart> parked_;
  std::uint64_t size_ = 0;  // since then
  // Until text is parked for the first time it has no hash, as to make one takes a third as long as
  // to make text.
  std::optional<Hasher> hasher_;
};

}  // namespace atl
