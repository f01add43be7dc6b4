#include "src/core/error.hpp"

#include "src/core/utf8.hpp"

namespace atl {

std::string printable(const std::string& text, std::size_t limit) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (out.size() >= limit) return out + "...";
    const std::size_t length = utf8_sequence_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      ++at;
    } else {
      out.append(text, at, length);
      at += length;
    }
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
