#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/temporary_file.hpp"

namespace atl::io {

/// A text that is read front to back, decompressed.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// At least one byte unless the end is reached; then 0, and 0 ever after.
  /// @pre capacity > 0
  /// @throws IoError; BadData if compressed data is damaged or ends early
  virtual std::size_t read(char* into, std::size_t capacity) = 0;
};

/// An input that can be read as often as needed. Standard input and pipes are copied to a temporary
/// file first, once their first block shows that they may be a table.
class TextInput {
 public:
  /// @param path  "-" is standard input
  /// @throws MissingInput (also for a folder or a device), BadData if it is empty or its first
  /// bytes are those of another kind of file, CannotCreate, IoError
  TextInput(const std::string& path, const std::string& temporary_folder);
  ~TextInput();
  TextInput(TextInput&&) noexcept;
  TextInput& operator=(TextInput&&) = delete;

  /// What messages call it: the path, or "standard input".
  const std::string& name() const noexcept { return name_; }
  /// A source at the start of the text; .xz and .gz are recognised by their first bytes.
  /// The input must outlive it.
  std::unique_ptr<TextSource> open() const;

 private:
  void spool(const std::string& folder);

  std::string name_;
  int descriptor_ = -1;
  std::optional<TemporaryFile> spool_;
};

}  // namespace atl::io
