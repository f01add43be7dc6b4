#include "io/tables/arff/arff_date.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "src/core/text/ascii.hpp"

namespace atl::io {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 25> meanings = {{
    {"yyyy", "%Y"}, {"yy", "%y"}, {"M", "%m"},   {"MM", "%m"},  {"MMM", "%b"},
    {"MMMM", "%b"}, {"d", "%d"},  {"dd", "%d"},  {"H", "%H"},   {"HH", "%H"},
    {"h", "%I"},    {"hh", "%I"}, {"a", "%p"},   {"m", "%M"},   {"mm", "%M"},
    {"s", "%S"},    {"ss", "%S"}, {"SSS", "%f"}, {"XXX", "%z"}, {"Z", "%z"},
    {"X", "%z"},    {"XX", "%z"}, {"E", "%a"},   {"EEE", "%a"}, {"EEEE", "%a"},
}};

/// Empty if they mean nothing.
std::string_view meaning_of(std::string_view letters) {
  const auto* const found = std::find_if(meanings.begin(), meanings.end(),
                                         [&](const auto& entry) { return entry.first == letters; });
  return found == meanings.end() ? std::string_view() : found->second;
}

constexpr char single_quote = '\'';
constexpr std::string_view two_quotes = "''";  // are one, within quotes, too

/// Of what begins with a quote, up to the closing one; 0 if there is none.
std::size_t quoted_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != single_quote) continue;
    if (text.substr(i, 2) != two_quotes) return i + 1;
    ++i;
  }
  return 0;
}

void append_literal(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == two_quotes) ++i;
    out.append(text[i] == '%' ? 2 : 1, text[i]);
  }
}

}  // namespace

std::optional<std::string> date_format_of(std::string_view arff) {
  std::string out;
  while (!arff.empty()) {
    std::size_t length = 1;
    if (arff.substr(0, 2) == two_quotes) {
      out += single_quote;
      length = 2;
    } else if (arff.front() == single_quote) {
      length = quoted_length(arff);
      if (length == 0) return std::nullopt;
      append_literal(out, arff.substr(1, length - 2));
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
