#include "io/transactions/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/text/text_buffer.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

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

bool is_comment(std::string_view line) noexcept {
  if (line.empty() || (line[0] != '#' && line[0] != '%')) return false;
  return line.size() == 1 || is_blank(line[1]) || line[1] == '\r' || line[1] == line[0];
}

bool is_comment_of_numbers(std::string_view line, bool begun) noexcept {
  if (line.empty() || !is_comment_mark(line[0])) return false;
  if (line[0] == '@' && begun) return line.starts_with("@ITEM=");
  return line.size() == 1 || line[1] < '0' || line[1] > '9';
}

std::string_view without_comments(std::string_view text) noexcept {
  std::string_view rest = text;
  bool comments = false;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const bool empty =
        std::all_of(line.begin(), line.end(), [](char c) { return is_blank(c) || c == '\r'; });
    if (!empty && !is_comment(line)) break;
    comments = comments || !empty;
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return comments ? rest : text;
}

void Comments::tell(const std::string& name, const Report& report) const {
  if (lines_ == 0) return;
  report(Severity::info, name + ": " + counted(lines_, "line") + " passed over as " +
                             (lines_ == 1 ? "a comment" : "comments") + " (" +
                             (lines_ == 1 ? "" : "first ") + "line " + std::to_string(first_) +
                             ")");
}

void for_each_line(std::unique_ptr<TextSource> source, const std::string& name,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use) {
  LineReader(std::move(source), name, use).read();
}

}  // namespace atl::io
