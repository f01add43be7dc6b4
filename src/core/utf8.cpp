#include "src/core/utf8.hpp"

namespace atl {

std::size_t utf8_sequence_length(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return continues(1) ? 2 : 0;
  if (lead < 0xF0) {
    if (!continues(1) || !continues(2)) return 0;
    if (lead == 0xE0 && byte(1) < 0xA0) return 0;
    if (lead == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (lead > 0xF4 || !continues(1) || !continues(2) || !continues(3)) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return 4;
}

char32_t code_point_at(std::string_view text, std::size_t at) noexcept {
  const std::size_t length = utf8_sequence_length(text, at);
  const auto lead = static_cast<unsigned char>(text[at]);
  char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i)
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  return code;
}

void append_utf8(std::string& text, char32_t code) {
  const auto add = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add(0x80 | (code & 0x3F));
  } else {
    add(0xE0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3F));
    add(0x80 | (code & 0x3F));
  }
}

std::size_t shown_sequence_length(std::string_view text, std::size_t at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t length = utf8_sequence_length(text, at);
  if (length == 0) return 0;
  const char32_t code = code_point_at(text, at);
  const auto within = [&](char32_t first, char32_t last) { return code >= first && code <= last; };
  const bool obeyed = within(0x80, 0x9F) || code == 0x61C || within(0x200E, 0x200F) ||
                      within(0x2028, 0x202E) || within(0x2066, 0x206F);
  const bool unseen = code == 0xAD || code == 0x34F || within(0x115F, 0x1160) ||
                      within(0x17B4, 0x17B5) || within(0x180B, 0x180F) || code == 0x200B ||
                      within(0x2060, 0x2065) || code == 0x3164 || code == 0xFEFF ||
                      code == 0xFFA0 || within(0xFFF0, 0xFFFB) || within(0xFDD0, 0xFDEF);
  const bool blank = code == 0xA0 || code == 0x1680 || within(0x2000, 0x200A) || code == 0x202F ||
                     code == 0x205F || code == 0x2800 || code == 0x3000;
  return obeyed || unseen || blank ? 0 : length;
}

std::size_t first_invalid_utf8(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8_sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return at;
}

}  // namespace atl
