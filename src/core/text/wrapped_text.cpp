#include "src/core/text/wrapped_text.hpp"

#include <algorithm>

#include "src/core/utf8.hpp"

namespace atl {
namespace {

constexpr std::size_t narrowest_column = 16;  // characters, or it stands below the others

std::size_t sequence_at(std::string_view text, std::size_t at) {
  return std::max<std::size_t>(1, utf8_sequence_length(text, at));
}

/// A place where a line may end.
struct Cut {
  std::size_t at = 0, characters = 0;  // bytes and characters before it
};

void append_fitted(std::string& out, std::string_view line, std::size_t columns,
                   std::size_t hanging) {
  const std::size_t gap = line.rfind("  ");
  const std::size_t begin = gap == std::string_view::npos ? 0 : gap + 2;
  std::string_view before = line.substr(0, begin);
  std::size_t indent = begin == 0 ? hanging : characters(before);
  if (begin > 0 && columns < indent + narrowest_column) {  // the last column goes below the others
    before = before.substr(0, before.find_last_not_of(' ') + 1);
    indent = before.empty() ? 0 : hanging + 4;
    if (characters(before) > columns) {
      append_fitted(out, before, columns, hanging);
    } else {
      out += before;
    }
    if (!before.empty()) out.append(1, '\n').append(indent, ' ');
  } else {
    out += before;
  }
  const auto parts = wrapped(line.substr(begin), columns - std::min(columns - 1, indent));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out.append(1, '\n').append(indent, ' ');
    out += parts[i];
  }
}

}  // namespace

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); i += sequence_at(text, i)) ++count;
  return count;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t left = characters(text); left > width;) {
    std::size_t end = 0;
    Cut blank, comma;
    for (std::size_t passed = 0; passed <= width; ++passed) {
      if (text[end] == ' ') blank = {end, passed};
      if (passed > 0 && text[end - 1] == ',') comma = {end, passed};
      if (passed < width) end += sequence_at(text, end);
    }
    const Cut cut = blank.at > 0 ? blank : comma.at > 0 ? comma : Cut{end, width};
    const std::size_t skipped = blank.at > 0 ? 1 : 0;
    lines.emplace_back(text.substr(0, cut.at));
    text.remove_prefix(cut.at + skipped);
    left -= cut.characters + skipped;
  }
  lines.emplace_back(text);
  return lines;
}

std::string narrowed(std::string_view line, std::size_t columns) {
  const std::string_view gap = line.find("  ") != line.npos ? "  " : ", ";
  std::string text(line);
  while (characters(text) > columns) {
    const std::size_t last = text.rfind(gap);
    if (last == text.npos) return wrapped(text, columns).front();
    const std::size_t before = last == 0 ? text.npos : text.rfind(gap, last - 1);
    text.erase(before == text.npos ? 0 : before,
               before == text.npos ? last + gap.size() : last - before);
  }
  return text;
}

std::string fitted(std::string_view text, std::size_t columns, std::size_t hanging) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (columns == 0 || characters(line) <= columns) {
      out += line;
    } else {
      append_fitted(out, line, columns, hanging);
    }
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace atl
