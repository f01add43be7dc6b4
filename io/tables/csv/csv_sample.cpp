#include "io/tables/csv/csv_sample.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "io/tables/columns/schema.hpp"
#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/values/written_number.hpp"
#include "src/core/text/ascii.hpp"
#include "src/data/date.hpp"

namespace atl::io {
namespace {

/// Numbers that count up from 0 or 1 in so many columns are names, whatever stands below.
constexpr std::size_t enough_from_0 = 3;
constexpr std::size_t enough_from_1 = 10;

/// Rows that tell whether labels recur.
constexpr std::size_t enough_rows = 10;

bool has_no_value(std::string_view field) {
  return is_usual_no_value(field) ||
         std::find(default_missing.begin(), default_missing.end(), field) != default_missing.end();
}

bool is_year(std::string_view field) {
  const auto number = whole_number(field);
  return field.size() == 4 && number && *number >= 1000 && *number < 3000;
}

/// The content of a column below the row in question.
struct Below {
  bool any = false, numbers = true, dates = true, years = true, recurs = false;
  bool counts = true;      ///< rows, from 0 or 1
  bool all_recur = false;  ///< every value, in enough rows
};

/// Rows that repeat all names prove nothing, as files may be joined; but rows may be equal, too.
Below look_below(std::span<const std::string_view> names, std::size_t column,
                 std::span<const SampleRow> rows) {
  const std::string_view name = names[column];
  Below below;
  std::optional<std::uint64_t> before;
  std::map<std::string_view, std::size_t> values;
  for (const SampleRow& row : rows) {
    if (column >= row.fields.size()) continue;
    if (names.size() > 1 && row.fields[column] == name && std::ranges::equal(row.fields, names)) {
      below.recurs = below.recurs || !has_no_value(name);
      continue;
    }
    const std::string_view field = row.fields[column];
    const auto number = whole_number(field);
    below.counts = below.counts && number && (before ? *number == *before + 1 : *number <= 1);
    before = number;
    if (has_no_value(field)) continue;
    below.any = true;
    below.numbers = below.numbers && is_written_number(field);
    below.dates = below.dates && parse_date(field);
    below.years = below.years && is_year(field);
    below.recurs = below.recurs || field == name;
    ++values[field];
  }
  below.all_recur =
      rows.size() >= enough_rows &&
      std::all_of(values.begin(), values.end(), [](const auto& value) { return value.second > 1; });
  below.counts = below.counts && rows.size() > 1;
  return below;
}

/// All numbers, but for nothing above the first column: do they count up from 0 or 1?
bool counts_up(std::span<const std::string_view> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto first = whole_number(numbers.front());
    if (!first || *first > 1 || whole_number(numbers[i]) != *first + i) return false;
  }
  return numbers.size() > 1;
}

std::optional<HeaderVerdict> verdict_of_known(std::span<const std::string_view> names,
                                              const std::vector<std::string>& known) {
  for (const std::string& name : known) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return HeaderVerdict::proven;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty() && name == numbered_name(i + 1)) return HeaderVerdict::proven;
    }
  }
  return std::nullopt;
}

/// Are all known names those of columns without names?
bool are_numbered(const std::vector<std::string>& known, std::size_t columns) {
  return !known.empty() && std::all_of(known.begin(), known.end(), [&](const std::string& name) {
    return is_numbered_name(name, columns);
  });
}

/// Is the row alone quoted, as programs write names that leave numbers without quotes?
bool is_quoted_alone(const SampleRow& row, std::span<const SampleRow> below) {
  const auto not_all = [](const SampleRow& other) { return other.quoted < other.fields.size(); };
  return !not_all(row) && !below.empty() && std::all_of(below.begin(), below.end(), not_all);
}

constexpr std::size_t most_rows = 100;
constexpr std::size_t usual_bytes = std::size_t{1} << 18;
constexpr std::size_t most_sample_bytes = std::size_t{1} << 22;
constexpr std::ptrdiff_t enough_lines = 20;

bool is_field_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

class Splitter {
 public:
  Splitter(std::string_view text, std::uint64_t line, char delimiter, char quote)
      : text_(text), line_(line), delimiter_(delimiter), quote_(quote) {}

  SampleRows split(bool whole) {
    while (at_ < text_.size() && out_.rows.size() < most_rows) read_row();
    if (!ended_ && !whole && out_.rows.size() > 1) out_.rows.pop_back();
    return std::move(out_);
  }

 private:
  void read_row() {
    if (text_.substr(at_).starts_with(byte_order_mark)) at_ += byte_order_mark.size();
    SampleRow row;
    row.line = line_;
    ended_ = false;
    const std::size_t quoted_before = out_.quoted;
    while (!ended_) {
      const bool first = row.fields.empty();
      const std::size_t quoted = out_.quoted;
      row.fields.push_back(read_field());
      if (first) row.first_quoted = out_.quoted > quoted;
      if (at_ == text_.size()) break;
      ended_ = text_[at_++] == '\n';
    }
    if (ended_) ++line_;
    row.quoted = out_.quoted - quoted_before;
    const bool blank = row.fields.size() == 1 && row.fields.front().empty() && row.quoted == 0;
    if (!blank) out_.rows.push_back(std::move(row));
  }

  /// Up to the delimiter, the line's end or that of the text.
  std::string_view read_field() {
    while (at_ < text_.size() && is_field_blank(text_[at_]) && text_[at_] != delimiter_) ++at_;
    if (at_ < text_.size() && text_[at_] == quote_) return read_quoted();
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') ++at_;
    return trimmed(begin, at_);
  }

  std::string_view read_quoted() {
    const std::size_t begin = ++at_;
    for (;; ++at_) {
      at_ = std::min(text_.find(quote_, at_), text_.size());
      if (text_.substr(at_, 2) != std::string{quote_, quote_}) break;
      ++at_;
    }
    const std::string_view field = text_.substr(begin, at_ - begin);
    line_ += static_cast<std::uint64_t>(std::count(field.begin(), field.end(), '\n'));
    ++out_.quoted;
    if (at_ < text_.size()) ++at_;
    const std::size_t behind = at_;
    while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') ++at_;
    out_.well_quoted = out_.well_quoted && trimmed(behind, at_).empty();
    return field;
  }

  std::string_view trimmed(std::size_t begin, std::size_t end) const {
    if (end > begin && text_[end - 1] == '\r') --end;
    while (end > begin && is_field_blank(text_[end - 1])) --end;
    while (begin < end && is_field_blank(text_[begin])) ++begin;
    return text_.substr(begin, end - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_;
  char delimiter_, quote_;
  bool ended_ = true;  ///< the row read last has its line end
  SampleRows out_;
};

}  // namespace

HeaderVerdict header_verdict(const SampleRow& row, std::span<const SampleRow> below,
                             const std::vector<std::string>& known) {
  const std::span<const std::string_view> names = row.fields;
  if (const auto verdict = verdict_of_known(names, known)) return *verdict;
  if (is_quoted_alone(row, below)) return HeaderVerdict::proven;
  bool word_recurs = false;
  bool number_recurs = false;
  bool is_alone = false;  // a label that does not recur above some that all do
  bool all_numbers = true;
  bool all_above_years = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view name = names[i];
    const Below column = look_below(names, i, below);
    if (name.empty()) {
      if (i == 0 && column.counts) return HeaderVerdict::proven;
      continue;
    }
    if (has_no_value(name)) continue;
    const bool number = is_written_number(name);
    const bool date = parse_date(name).has_value();
    if (column.any && ((column.numbers && !number) || (column.dates && !date))) {
      return HeaderVerdict::proven;
    }
    const bool date_above_dates = column.any && column.dates && date;
    word_recurs = word_recurs || (column.recurs && !number) || date_above_dates;
    number_recurs = number_recurs || (column.recurs && number);
    is_alone = is_alone || (column.any && !number && !column.recurs && column.all_recur);
    all_numbers = all_numbers && number;
    all_above_years = all_above_years || (column.any && column.years);
  }
  const auto numbers = names.front().empty() && names.size() > 1 ? names.subspan(1) : names;
  const bool counting = counts_up(numbers);
  const std::size_t enough = numbers.front() == "0" ? enough_from_0 : enough_from_1;
  if (counting && numbers.size() >= enough) {
    return number_recurs ? HeaderVerdict::likely : HeaderVerdict::proven;
  }
  if (are_numbered(known, names.size()) || word_recurs) return HeaderVerdict::data;
  if (is_alone) return HeaderVerdict::proven;
  if (number_recurs) return HeaderVerdict::data;
  const bool all_empty =
      std::all_of(names.begin(), names.end(), [](std::string_view name) { return name.empty(); });
  if (!all_numbers || all_empty) return HeaderVerdict::likely;
  const bool years = numbers.size() > 1 && std::all_of(numbers.begin(), numbers.end(), is_year) &&
                     !all_above_years;
  return counting || years ? HeaderVerdict::likely : HeaderVerdict::data;
}

TextSample sample_of(TextSource& source) {
  TextSample sample;
  std::string& text = sample.text;
  std::ptrdiff_t lines = 0;
  while (text.size() < most_sample_bytes && (text.size() < usual_bytes || lines < enough_lines)) {
    const std::size_t before = text.size();
    text.resize(before + usual_bytes);
    const std::size_t got = source.read(text.data() + before, usual_bytes);
    text.resize(before + got);
    sample.whole = got == 0;
    if (sample.whole) break;
    lines += std::count(text.begin() + static_cast<std::ptrdiff_t>(before), text.end(), '\n');
  }
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return sample;
}

SampleRows sample_rows(std::string_view text, bool whole, std::uint64_t line, char delimiter,
                       char quote) {
  return Splitter(text, line, delimiter, quote).split(whole);
}

}  // namespace atl::io
