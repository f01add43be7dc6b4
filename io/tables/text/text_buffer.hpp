#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// The outcome of asking for more of a text in a window.
enum class MoreText : std::uint8_t {
  grown,  ///< there is more in the window
  end,    ///< the text ends where the window ends
  fault,  ///< behind the window is a NUL byte or what is not UTF-8
  full,   ///< the window has the greatest size it may have
};

/// A window on a text that is read in blocks: what is not yet consumed. A byte order mark at the
/// start is skipped. All of the window is UTF-8 without NUL bytes.
class TextBuffer {
 public:
  /// Bytes behind the window that may be read, whatever they are.
  static constexpr std::size_t padding = 64;

  /// @param limit  greatest size of the window, which bounds the memory
  TextBuffer(std::unique_ptr<TextSource> source, std::size_t limit);

  const char* begin() const noexcept { return bytes_.get() + begin_; }
  const char* end() const noexcept { return bytes_.get() + end_; }
  /// Lets the window have so many bytes, or its limit, as soon as more is read.
  void hold(std::size_t bytes) noexcept { wanted_ = std::min(bytes, limit_); }
  /// Bytes before `to` are done with. @pre begin() <= to <= end()
  void consume(const char* to) noexcept { begin_ = static_cast<std::size_t>(to - bytes_.get()); }
  /// Reads on; moves the window, so pointers into it are void.
  MoreText more();
  /// Puts a line feed behind the window, for a last line that has none. @pre more() said end
  void end_line() noexcept { bytes_[end_++] = '\n'; }
  /// Bytes that may be in a window, now.
  std::size_t capacity() const noexcept { return capacity_; }
  /// The byte behind the window. @pre more() said fault
  char faulty_byte() const noexcept { return bytes_[end_]; }
  /// Says what should be there instead, for a message: what encoding the text may have, and the
  /// option to say so. @pre more() said fault
  std::string expected_text() const;

 private:
  void make_room();
  void check();

  std::unique_ptr<TextSource> source_;
  std::size_t limit_;
  std::size_t capacity_;
  std::size_t wanted_ = 0;  ///< capacity, at least
  std::unique_ptr<char[]> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;   ///< end of what is checked
  std::size_t read_ = 0;  ///< end of what is read
  bool started_ = false;
  bool ended_ = false;
  bool faulty_ = false;
};

}  // namespace atl::io
