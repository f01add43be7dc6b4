#include "src/core/text/shell_word.hpp"

#include <algorithm>

#include "src/core/utf8.hpp"

namespace atl {
namespace {

/// Writes $'...', in which a shell takes \xNN for a byte: what is not shown would be lost where the
/// word is printed and copied.
std::string in_escapes(const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  std::string word = "$'";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t shown = shown_sequence_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (shown == 0) {
      word += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
      // The rest of the character, which by itself is none.
      for (std::size_t rest = 1; rest < utf8_sequence_length(text, at); ++rest) {
        const auto next = static_cast<unsigned char>(text[at + rest]);
        word += {'\\', 'x', digits[next >> 4], digits[next & 15]};
      }
      at += std::max<std::size_t>(1, utf8_sequence_length(text, at));
      continue;
    }
    if (byte == '\'' || byte == '\\') word += '\\';
    word.append(text, at, shown);
    at += shown;
  }
  return word + "'";
}

bool is_shown(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t shown = shown_sequence_length(text, at);
    if (shown == 0) return false;
    at += shown;
  }
  return true;
}

}  // namespace

std::string shell_word(const std::string& text) {
  constexpr const char* plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  if (!is_shown(text)) return in_escapes(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace atl
