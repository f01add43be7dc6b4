#include "io/arff_date.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace atl::io {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> meanings = {{
    {"yyyy", "%Y"}, {"yy", "%y"}, {"M", "%m"},   {"MM", "%m"},  {"MMM", "%b"},
    {"MMMM", "%b"}, {"d", "%d"},  {"dd", "%d"},  {"H", "%H"},   {"HH", "%H"},
    {"h", "%I"},    {"hh", "%I"}, {"a", "%p"},   {"m", "%M"},   {"mm", "%M"},
    {"s", "%S"},    {"ss", "%S"}, {"SSS", "%f"}, {"XXX", "%z"}, {"Z", "%z"},
}};

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Empty if they mean nothing.
std::string_view meaning_of(std::string_view letters) {
  const auto* const found = std::find_if(meanings.begin(), meanings.end(),
                                         [&](const auto& entry) { return entry.first == letters; });
  return found == meanings.end() ? std::string_view() : found->second;
}

void append_literal(std::string& out, std::string_view text) {
  for (const char c : text) out.append(c == '%' ? 2 : 1, c);
}

}  // namespace

std::optional<std::string> date_format_of(std::string_view arff) {
  constexpr char quote = '\'';
  std::string out;
  while (!arff.empty()) {
    std::size_t length = 1;
    if (arff.front() == quote) {
      const std::size_t end = arff.find(quote, 1);
      if (end == std::string_view::npos) return std::nullopt;
      // Two in a row are one.
      append_literal(out, end == 1 ? "'" : arff.substr(1, end - 1));
      length = end + 1;
    } else if (is_letter(arff.front())) {
      length = std::min(arff.find_first_not_of(arff.front()), arff.size());
      const std::string_view meaning = meaning_of(arff.substr(0, length));
      if (meaning.empty()) return std::nullopt;
      out += meaning;
    } else {
      append_literal(out, arff.substr(0, 1));
    }
    arff.remove_prefix(length);
  }
  return out;
}

}  // namespace atl::io
