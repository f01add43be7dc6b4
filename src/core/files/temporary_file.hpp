#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace atl::io {

/// A file without a name, so that nothing is left behind however the program ends. Where storage
/// has no such files, it has a name for a moment.
class TemporaryFile {
 public:
  /// @throws CannotCreate naming the folder
  explicit TemporaryFile(const std::string& folder);
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  int descriptor() const noexcept { return descriptor_; }
  std::uint64_t size() const noexcept { return size_; }
  /// Appends at the end. @throws IoError, disk full among the reasons
  void append(const char* bytes, std::size_t count);
  /// Exactly `count` bytes from `offset`. @throws IoError
  void read(std::uint64_t offset, char* into, std::size_t count) const;

 private:
  std::string folder_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// Does the name look like that of a TemporaryFile whose program was killed in that moment?
bool is_spool_name(std::string_view name) noexcept;

}  // namespace atl::io
