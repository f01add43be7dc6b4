#include "src/config/numeric_target.hpp"

#include <charconv>

#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "src/core/utf8.hpp"

namespace atl {
namespace {

constexpr std::string_view blanks = " \t\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Takes the word off the front of the text, and the blanks behind it, if it comes first and ends
/// before one of `ends`.
bool take_word(std::string_view& text, std::string_view word, std::string_view ends) {
  if (!text.starts_with(word) || text.size() == word.size()) return false;
  if (ends.find(text[word.size()]) == std::string_view::npos) return false;
  text = trimmed(text.substr(word.size()));
  return true;
}

/// The character that \uNNNN stands for at the beginning of the text; nothing if that is none.
std::optional<char32_t> escaped_code(std::string_view text) {
  unsigned code = 0;
  if (text.size() < 6 || text[1] != 'u') return {};
  const auto read = std::from_chars(text.data() + 2, text.data() + 6, code, 16);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (read.ec != std::errc() || read.ptr != text.data() + 6 || surrogate) return {};
  return code;
}

/// Reads a name as rules have it: within double quotes \", \\, \n, \r, \t and \uNNNN stand for a
/// character.
std::string name_of(std::string_view text) {
  text = trimmed(text);
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  if (!quoted) return std::string(text);
  text = text.substr(1, text.size() - 2);
  constexpr std::string_view letters = "\"\\nrt", meanings = "\"\\\n\r\t";
  std::string name;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escape = text[at] == '\\' && at + 1 < text.size();
    const std::size_t letter = escape ? letters.find(text[at + 1]) : std::string_view::npos;
    if (letter != std::string_view::npos) {
      name += meanings[letter];
      ++at;
    } else if (const auto code = escape ? escaped_code(text.substr(at)) : std::nullopt) {
      append_utf8(name, *code);
      at += 5;
    } else {
      name += text[at];
    }
  }
  return name;
}

}  // namespace

std::optional<NumericTarget> parse_numeric_target(std::string_view text) {
  const std::string source = "--target '" + printable(std::string(text)) + "'";
  NumericTarget target;
  std::string_view left = trimmed(text);
  target.low = take_word(left, "low", blanks);
  if (!target.low) take_word(left, "high", blanks);
  constexpr std::string_view opens = "( \t\n";
  if (take_word(left, "quantile", opens)) {
    target.statistic = NumericTarget::Statistic::quantile;
  } else if (!take_word(left, "mean", opens)) {
    return std::nullopt;
  }
  if (!left.starts_with('(')) return std::nullopt;  // an attribute of that name, compared
  const bool is_mean = target.statistic == NumericTarget::Statistic::mean;
  const char* const expected = is_mean ? ": expected mean(ATTRIBUTE)"
                                       : ": expected quantile(ATTRIBUTE, SHARE), such as "
                                         "quantile(price, 0.9)";
  if (!left.ends_with(')')) throw UsageError(source + expected);
  left = left.substr(1, left.size() - 2);
  if (!is_mean) {
    const std::size_t comma = left.rfind(',');
    if (comma == std::string_view::npos) throw UsageError(source + expected);
    try {
      target.share = parse_share(trimmed(left.substr(comma + 1)));
    } catch (const UsageError& error) {
      throw UsageError(source + ": " + error.what());
    }
    if (target.share <= 0 || target.share >= 1)
      throw UsageError(source + ": expected a share between 0 and 1, neither of them");
    left = left.substr(0, comma);
  }
  target.attribute = name_of(left);
  if (target.attribute.empty()) throw UsageError(source + expected);
  return target;
}

}  // namespace atl
