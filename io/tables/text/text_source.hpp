#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "src/core/files/temporary_file.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// Of UTF-8, which a text may begin with.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// A text that is read front to back.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// At least one byte unless the end is reached; then 0, and 0 ever after.
  /// @pre capacity > 0
  /// @throws IoError; BadData if compressed data is damaged or ends early
  virtual std::size_t read(char* into, std::size_t capacity) = 0;
};

/// What a text may be beside a table or lists of items.
enum class TextContent : std::uint8_t { table, table_or_json };

/// An input that can be read as often as needed. Standard input and pipes are copied to a temporary
/// file first, once their first block shows that they may be a table.
class TextInput {
 public:
  /// @param path  "-" is standard input
  /// @param encoding  of the text, by a name of iconv; empty: what its byte order mark says, or
  /// UTF-8
  /// @throws MissingInput (also for a folder or a device), BadData if it is empty or its first
  /// bytes are those of another kind of file or have another encoding, UsageError for an unknown
  /// one, CannotCreate, IoError
  TextInput(const std::string& path, const std::string& temporary_folder,
            const std::string& encoding = {}, TextContent content = TextContent::table);
  ~TextInput();
  TextInput(TextInput&&) noexcept;
  TextInput& operator=(TextInput&&) = delete;

  /// What messages call it: the path, or "standard input".
  const std::string& name() const noexcept { return name_; }
  /// A source at the start of the text, unpacked, in UTF-8, with line feeds. The input must outlive
  /// it.
  std::unique_ptr<TextSource> open() const;
  /// Reports what of the text is unusual: line ends, a doubtful encoding.
  void tell(const Report& report) const;

 private:
  void spool(const std::string& folder, TextContent content);
  void judge(const std::string& start, bool more, TextContent content);
  void settle_encoding(std::string_view text);
  void find_line_ends();
  std::unique_ptr<TextSource> in_utf8(std::unique_ptr<TextSource> bytes) const;
  std::unique_ptr<TextSource> open_as_it_is() const;

  std::string name_;
  int descriptor_ = -1;
  std::optional<TemporaryFile> spool_;
  std::string encoding_given_;  ///< as it was typed
  std::string encoding_;        ///< as iconv knows it; empty: UTF-8
  bool marked_ = false;         ///< by a byte order mark
  bool returns_ = false;        ///< line ends are carriage returns alone
  bool is_utf8_too_ = false;    ///< though another encoding was given
};

}  // namespace atl::io
