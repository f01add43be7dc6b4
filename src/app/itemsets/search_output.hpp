#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/app/itemsets/search_state.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/folder.hpp"

namespace atl {

/// Ends a search whose sets nobody reads.
struct ReaderGone {};

/// Where the text of a search goes: to standard output, or to a file that appears as a whole.
class SearchOutput {
 public:
  /// To standard output.
  SearchOutput() = default;
  /// @throws CannotCreate, IoError
  explicit SearchOutput(const std::string& file) : file_(std::make_unique<io::AtomicFile>(file)) {}

  /// @throws CannotCreate, IoError, ReaderGone
  void write(std::string_view text);

  /// Its text so far lasts in the folder, also when this process ends.
  /// @return the pieces of it that were saved one after the other
  const std::vector<TextPart>& park(const io::Folder& folder);
  /// Goes on where another process has parked.
  void take_up(const std::string& file, const io::Folder& folder, std::vector<TextPart> parked);
  void commit();

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
