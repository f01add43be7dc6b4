#include "io/tables/csv/header_evidence.hpp"

#include <algorithm>
#include <cstdint>
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

/// What a column holds below the row in question.
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

/// As programs write names that leave numbers without quotes.
bool is_quoted_alone(const SampleRow& row, std::span<const SampleRow> below) {
  const auto not_all = [](const SampleRow& other) { return other.quoted < other.fields.size(); };
  return !not_all(row) && !below.empty() && std::all_of(below.begin(), below.end(), not_all);
}

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

}  // namespace atl::io
