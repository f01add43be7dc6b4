#include "io/transactions/comments.hpp"

#include <algorithm>

#include "io/transactions/line_reader.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {

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

}  // namespace atl::io
