// Text that waits for what stands before it in the output.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/files/folder.hpp"
#include "src/core/hash.hpp"

namespace atl {

/// Of one place in the output: in a file from its beginning on, the rest in memory.
struct SpooledText {
  std::uint64_t file = 0;  ///< its number; 0: there is none
  std::uint64_t file_size = 0;
  std::string kept{};
  Hash128 hash{};  ///< of the file, if it is all of the text and was synced
};

/// Keeps some text in memory, and more in files of a folder.
class TextSpool {
 public:
  /// @param folder  is called before a file is written or removed; the folder stays the same. It
  ///                throws if that is not this process's any more.
  /// @param most_kept  bytes in memory
  /// @param first_file  number, unlike those of any other job that may write to the folder
  TextSpool(std::function<const io::Folder&()> folder, std::size_t most_kept,
            std::uint64_t first_file)
      : folder_(std::move(folder)), most_kept_(most_kept), last_(first_file) {}

  static std::string file_name(std::uint64_t number);
  /// Is it the name of such a file?
  static bool is_file_name(std::string_view name);
  /// @throws CannotCreate, IoError
  void append(SpooledText& text, std::string_view more);
  /// Has all of it in a file that lasts. @throws likewise
  void sync(SpooledText& text);
  /// Calls write() with all of the text, which is gone then. @throws IoError, and what write() does
  void hand_over(SpooledText& text, const std::function<void(std::string_view)>& write);

  /// What another process has left in a file.
  static SpooledText take_up(std::uint64_t file, std::uint64_t size, const Hash128& hash);

  /// From now on files stay, even if their text was handed over: a checkpoint names them.
  void keep_files() noexcept { keeps_ = true; }
  /// Removes those whose text was handed over.
  void remove_unneeded();

 private:
  void write_out(SpooledText& text);

  std::function<const io::Folder&()> folder_;
  std::size_t most_kept_;
  std::uint64_t last_;
  std::size_t kept_ = 0;
  bool keeps_ = false;
  std::vector<std::uint64_t> unneeded_;
};

/// Of the first bytes of a file. @throws as read_spooled()
Hash128 hash_of_file(const io::Folder& folder, const std::string& name, std::uint64_t size);

/// Reads the file from its beginning. @throws IoError if it is shorter, MissingInput
void read_spooled(const io::Folder& folder, const std::string& name, std::uint64_t size,
                  const std::function<void(std::string_view)>& take);

}  // namespace atl
