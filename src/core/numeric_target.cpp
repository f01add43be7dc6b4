#include "src/core/numeric_target.hpp"

#include "src/core/error.hpp"
#include "src/core/experiment.hpp"

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

std::string name_of(std::string_view text) {
  text = trimmed(text);
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
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
