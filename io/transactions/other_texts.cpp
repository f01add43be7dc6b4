#include "io/transactions/other_texts.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "io/transactions/line_reader.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

constexpr bool is_decimal(char c) noexcept {
  return c >= '0' && c <= '9';
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// The lines that have something in them and are no comments of SPMF's, but for one that is cut
/// off.
std::vector<std::string_view> lines_of(std::string_view start) {
  std::vector<std::string_view> lines;
  while (!start.empty()) {
    const std::size_t end = start.find('\n');
    if (end == std::string_view::npos && !lines.empty()) break;
    const std::string_view line = start.substr(0, end);
    start.remove_prefix(std::min(line.size() + 1, start.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && !is_comment_mark(line[first])) lines.push_back(line);
  }
  return lines;
}

/// Lines such as 1 -1 2 3 -1 -2, also with times, <5>, and utilities, 1[7].
bool are_sequences(const std::vector<std::string_view>& lines) {
  std::size_t seen = 0, ended = 0;
  bool numbers = true;
  for (const std::string_view line : lines) {
    std::vector<std::string_view> words = words_of(line);
    if (words.back().starts_with("SUtility:")) words.pop_back();
    if (words.empty()) return false;
    const bool parted = std::find(words.begin(), words.end(), "-1") != words.end();
    ended += parted && words.back() == "-2" ? 1U : 0U;
    ++seen;
    numbers = numbers && std::all_of(words.begin(), words.end(), [](std::string_view word) {
                return is_decimal(word[0]) || word[0] == '<' || word == "-1" || word == "-2";
              });
    if (!numbers && ended < seen) return false;
  }
  return ended > 0 && (numbers || ended == lines.size());
}

/// The number of numbers in it, with blanks between them; 0 if there is anything else.
std::size_t numbers_in(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  return std::all_of(words.begin(), words.end(),
                     [](std::string_view word) { return parse_number(word).has_value(); })
             ? words.size()
             : 0;
}

/// Lines such as 3 5 1:30:1 3 26: items, what they are worth together, and each alone; there may be
/// numbers more behind them, or the items' own worths missing.
bool have_utilities(const std::vector<std::string_view>& lines) {
  bool lists = false;
  for (std::string_view line : lines) {
    std::vector<std::size_t> parts;
    while (true) {
      const std::size_t colon = line.find(':');
      parts.push_back(numbers_in(line.substr(0, colon)));
      if (colon == std::string_view::npos) break;
      line.remove_prefix(colon + 1);
    }
    if (parts.size() < 2 || parts.size() > 4 || parts[0] == 0 || parts[1] != 1) return false;
    if (parts.size() > 2 && parts[2] != parts[0]) return false;
    if (parts.size() > 3 && parts[3] == 0) return false;
    lists =
        lists || parts[0] > (parts.size() == 2 ? 2U : 1U);  // 10:30:59 may be an item, 5 10:30 too
  }
  return lists;
}

/// Lines such as 1 2 #SUP: 3.
bool have_supports(const std::vector<std::string_view>& lines) {
  return std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.find("#SUP:") != std::string_view::npos;
  });
}

bool begins_as(std::string_view text, std::string_view lower) noexcept {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [](char expected, char c) {
           return expected == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
         });
}

/// @param word  in lower case
bool begins_with_keyword(std::string_view text, std::string_view word) noexcept {
  if (!begins_as(text, word)) return false;
  return text.size() == word.size() || is_blank(text[word.size()]) || text[word.size()] == '\r';
}

}  // namespace

std::optional<std::string> other_than_transactions(std::string_view start) {
  // Most texts have neither, and are not split for nothing.
  const bool parted = start.find("-2") != std::string_view::npos;
  if (!parted && start.find(':') == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> lines = lines_of(start);
  if (lines.empty()) return std::nullopt;
  if (are_sequences(lines)) {
    return "has sequences as SPMF writes them (-1 ends a set of items, -2 a sequence), expected "
           "transactions; sed 's/ -[12]//g' makes a transaction of each sequence, without its "
           "order";
  }
  if (have_utilities(lines)) {
    return "has utilities behind the items, as SPMF writes them (items:sum:utilities), expected "
           "transactions; cut -d: -f1 leaves the items alone";
  }
  if (have_supports(lines)) {
    return "has itemsets that were found, with their supports (#SUP:), expected transactions";
  }
  return std::nullopt;
}

bool begins_as_spmf(std::string_view start) noexcept {
  while (!start.empty() &&
         (start[0] == '#' || start[0] == '%' || start[0] == '\n' || start[0] == '\r')) {
    start.remove_prefix(std::min(start.find('\n'), start.size() - 1) + 1);
  }
  return start.starts_with("@CONVERTED_FROM_") || start.starts_with("@ITEM=");
}

bool begins_as_arff(std::string_view start) noexcept {
  bool begun = false;
  while (!start.empty()) {
    std::string_view line = start.substr(0, start.find('\n'));
    start.remove_prefix(std::min(line.size() + 1, start.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty() || line[0] == '%') continue;
    if (begins_with_keyword(line, "@attribute")) return true;
    if (!begun && !begins_with_keyword(line, "@relation")) return false;
    begun = true;
  }
  return false;
}

}  // namespace atl::io
