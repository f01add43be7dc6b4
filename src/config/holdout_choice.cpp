#include "src/config/holdout_choice.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "src/core/hash.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

constexpr std::string_view rows_prefix = "rows ";
/// Far more than any table has.
constexpr std::uint64_t most_row = std::uint64_t{1} << 48;

bool is_number(std::string_view text) {
  if (!text.empty() && text.back() == '%') text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);  // parse_share() says what is wrong
  return parse_number(text).has_value();
}

/// Also a condition with an error in it, such as "a is mising".
bool is_condition(std::string_view text) {
  const std::size_t is = text.find(" is ");
  return text.find_first_of("=<>!") != text.npos || text.find(" in [") != text.npos ||
         (is != text.npos && text.find_first_of("./", is) == text.npos);
}

/// A number of a row; nothing if the text is none.
std::optional<std::uint64_t> row_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (number == 0 || number > most_row) return std::nullopt;
  return number;
}

/// Adds a row behind all others.
void add_row(std::vector<RowRun>& rows, std::uint64_t row) {
  if (!rows.empty() && rows.back().last + 1 == row) {
    rows.back().last = row;
  } else {
    rows.push_back({row, row});
  }
}

std::string text_of(const std::vector<RowRun>& rows) {
  std::string text(rows_prefix);
  for (const RowRun& run : rows) {
    if (text.size() > rows_prefix.size()) text += ',';
    text += std::to_string(run.first);
    if (run.last != run.first) text.append("-").append(std::to_string(run.last));
  }
  return text;
}

/// @param list  "1-3,7", ascending
std::vector<RowRun> parse_runs(std::string_view list) {
  std::vector<RowRun> rows;
  for (bool more = true; more;) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view part = list.substr(0, comma);
    const std::size_t dash = std::min(part.find('-'), part.size());
    const auto first = row_number(part.substr(0, dash));
    const auto last = dash == part.size() ? first : row_number(part.substr(dash + 1));
    const bool fits =
        first && last && *first <= *last && (rows.empty() || *first > rows.back().last + 1);
    if (!fits) {
      throw UsageError(in_quotes(std::string(part)) +
                       " is no row or run of rows behind those before it, such as 7 or 3-5");
    }
    rows.push_back({*first, *last});
    more = comma < list.size();
    if (more) list.remove_prefix(comma + 1);
  }
  return rows;
}

std::string_view without_blanks(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == line.npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace

HoldoutChoice HoldoutChoice::parse(const std::string& text) {
  HoldoutChoice choice;
  if (without_blanks(text).empty()) {
    throw UsageError("empty, expected a share, a condition or a file with numbers of rows");
  }
  if (is_number(text)) {
    choice.share = parse_share(text);
  } else if (is_condition(text)) {
    choice.condition = text;
  } else {
    choice.file = text;
  }
  return choice;
}

HoldoutChoice HoldoutChoice::parse_setting(const std::string& text) {
  if (!text.starts_with(rows_prefix)) return parse(text);
  HoldoutChoice choice;
  choice.rows = parse_runs(std::string_view(text).substr(rows_prefix.size()));
  return choice;
}

std::string HoldoutChoice::text() const {
  if (!condition.empty()) return condition;
  if (!rows.empty()) return text_of(rows);
  return file.empty() ? plain_number(share) : file;
}

std::string HoldoutChoice::summary() const {
  if (rows.empty()) return text();
  std::uint64_t count = 0;
  for (const RowRun& run : rows) count += run.last - run.first + 1;
  const std::string all = text_of(rows);
  constexpr std::size_t most = 40;
  if (all.size() <= most) return all;
  const Hash128 hash = hash_bytes(std::as_bytes(std::span(all)));
  return counted(count, "row") + " of a file (" + to_hex(hash).substr(0, 16) + ")";
}

std::vector<RowRun> parse_row_numbers(std::string_view text, const std::string& file) {
  std::vector<std::uint64_t> numbers;
  bool first = true;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view word = without_blanks(text.substr(0, end));
    const auto column = static_cast<std::uint64_t>(word.data() - text.data()) + 1;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const bool is_header = std::exchange(first, false) && (word == "row" || word == "\"row\"");
    if (is_header) continue;
    const auto number = row_number(word);
    if (!number) {
      throw BadCell(file, line, column, std::string(word),
                    "the number of a row, the first of which is 1");
    }
    numbers.push_back(*number);
  }
  if (numbers.empty()) throw BadData(file, "no numbers of rows");
  std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice != numbers.end()) {
    throw BadData(file, "row " + std::to_string(*twice) + " is there twice");
  }
  std::vector<RowRun> rows;
  for (const std::uint64_t number : numbers) add_row(rows, number);
  return rows;
}

}  // namespace atl
