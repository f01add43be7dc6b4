#include "io/transactions/line_reader.hpp"

#include <cstring>
#include <utility>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/text/text_buffer.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

class LineReader {
 public:
  using Use = std::function<void(std::string_view line, std::uint64_t number)>;

  LineReader(std::unique_ptr<TextSource> source, const std::string& name, const Use& use)
      : text_(std::move(source), max_row_bytes), name_(name), use_(use) {}

  void read() {
    while (true) {
      read_lines();
      switch (text_.more()) {
        case MoreText::grown:
          break;
        case MoreText::end:
          if (text_.begin() != text_.end()) {
            text_.end_line();
            read_lines();
          }
          return;
        case MoreText::fault: {
          read_lines();
          const auto column = static_cast<std::uint64_t>(text_.end() - text_.begin()) + 1;
          throw BadCell(name_, number_, column, std::string(1, text_.faulty_byte()),
                        text_.expected_text());
        }
        case MoreText::full:
          throw BadCell(name_, number_, 1, "a line of more than 64 MiB", "one of at most 64 MiB");
      }
    }
  }

 private:
  /// The whole lines of the window.
  void read_lines() {
    for (const char* begin = text_.begin();;) {
      const auto left = static_cast<std::size_t>(text_.end() - begin);
      const auto* const end =
          left == 0 ? nullptr : static_cast<const char*>(std::memchr(begin, '\n', left));
      if (end == nullptr) return text_.consume(begin);
      std::string_view line(begin, static_cast<std::size_t>(end - begin));
      if (line.ends_with('\r')) line.remove_suffix(1);
      use_(line, number_++);
      begin = end + 1;
    }
  }

  TextBuffer text_;
  const std::string& name_;
  const Use& use_;
  std::uint64_t number_ = 1;
};

}  // namespace

void for_each_line(std::unique_ptr<TextSource> source, const std::string& name,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use) {
  LineReader(std::move(source), name, use).read();
}

}  // namespace atl::io
