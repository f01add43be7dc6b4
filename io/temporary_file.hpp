#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace atl::io {

/// A file without a name: it is removed from its folder as soon as it is made, so nothing is left
/// behind however the program ends.
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

}  // namespace atl::io
