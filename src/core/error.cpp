#include "src/core/error.hpp"

#include <algorithm>

#include "src/core/utf8.hpp"

namespace atl {

std::string printable(std::string_view text, std::size_t limit) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (out.size() >= limit) return out + "...";
    const std::size_t shown = shown_sequence_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (shown > 0) {
      out.append(text, at, shown);
      at += shown;
    } else if (const std::size_t length = utf8_sequence_length(text, at);
               length == 0 || byte < 0x20) {
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      ++at;
    } else {
      const char32_t code = code_point_at(text, at);  // none of these is above U+FFFF
      out += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) out += digits[code >> shift & 15];
      at += length;
    }
  }
  return out;
}

std::string shortened(std::string_view line, std::size_t most) {
  if (line.size() <= most) return std::string(line);
  // Not within a letter: its other bytes begin with the bits 10.
  const auto is_within = [&](std::size_t at) {
    return (static_cast<unsigned char>(line[at]) & 0xC0U) == 0x80U;
  };
  std::size_t head = most * 2 / 3, tail = line.size() - (most - head);
  while (head > 0 && is_within(head)) --head;
  while (tail < line.size() && is_within(tail)) ++tail;
  return std::string(line.substr(0, head)) + " ... " + std::string(line.substr(tail));
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end), std::string::npos);
    if (end == text.size()) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

BadCell::BadCell(const std::string& file, std::uint64_t line, std::uint64_t column,
                 const std::string& found, const std::string& expected)
    : BadData(file, std::to_string(line) + ":" + std::to_string(column),
              "found '" + printable(found) + "', expected " + expected),
      line(line),
      column(column),
      found(printable(found)),
      expected(expected) {}

}  // namespace atl
