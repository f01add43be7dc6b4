#include "io/tables/csv/csv_layout.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "io/tables/csv/header_evidence.hpp"
#include "src/core/text/ascii.hpp"

namespace atl::io {
namespace {

/// Lines above a table: a title, who made it, when.
constexpr std::size_t most_text_lines = 20;

/// Has it nothing behind its first field?
bool is_text_line(const SampleRow& row) {
  return std::all_of(row.fields.begin() + 1, row.fields.end(),
                     [](std::string_view field) { return field.empty(); });
}

bool two_columns_have_values(std::span<const SampleRow> rows) {
  const std::size_t columns = rows.front().fields.size();
  std::size_t with_value = 0;
  for (std::size_t column = 0; column < columns && with_value < 2; ++column) {
    const bool any = std::any_of(rows.begin(), rows.end(),
                                 [&](const SampleRow& row) { return !row.fields[column].empty(); });
    with_value += any ? 1U : 0U;
  }
  return with_value > 1;
}

/// Do names that are one fewer, or one more and empty, fit the rows below?
std::optional<NamesShape> shape_of(const SampleRow& names, std::span<const SampleRow> rows,
                                   char delimiter) {
  const std::size_t columns = rows.front().fields.size();
  if (names.fields.size() == columns + 1 && names.fields.back().empty()) return NamesShape::closed;
  if (names.fields.size() + 1 != columns) return std::nullopt;
  if (std::all_of(rows.begin(), rows.end(),
                  [](const SampleRow& row) { return row.fields.back().empty(); })) {
    return NamesShape::open_end;
  }
  std::set<std::string_view> firsts;
  bool bare_numbers = true;
  for (const SampleRow& row : rows) {
    if (row.fields.front().empty() || !firsts.insert(row.fields.front()).second)
      return std::nullopt;
    bare_numbers = bare_numbers && !row.first_quoted && are_digits(row.fields.front());
  }
  // Of 1,5 below x the comma may be a decimal one.
  if (columns == 2 && delimiter == ',' && bare_numbers) return std::nullopt;
  return NamesShape::row_names;
}

bool proves_names(std::span<const SampleRow> rows, const std::vector<std::string>& known) {
  return header_verdict(rows.front(), rows.subspan(1), known) == HeaderVerdict::proven;
}

/// The first of the rows from which on all have as many fields as the last.
std::size_t begin_of_even_rows(std::span<const SampleRow> rows) {
  std::size_t first = rows.size() - 1;
  while (first > 0 && rows[first - 1].fields.size() == rows.back().fields.size()) --first;
  return first;
}

}  // namespace

CsvLayout layout_of(std::span<const SampleRow> rows, char delimiter,
                    const std::vector<std::string>& known) {
  CsvLayout layout;
  std::size_t first = begin_of_even_rows(rows);
  const std::size_t columns = rows.back().fields.size();
  if (columns < 2) return layout;
  const bool wide = two_columns_have_values(rows.subspan(first));
  if (first == 0) {
    // A title whose row is filled up with delimiters.
    constexpr std::size_t least_columns = 3;
    while (columns >= least_columns && first + 3 <= rows.size() && is_text_line(rows[first])) {
      ++first;
    }
    const bool titled = first > 0 && !is_text_line(rows[first]) && first <= most_text_lines &&
                        proves_names(rows.subspan(first), known);
    layout.first = titled ? first : 0;
    layout.fit = !wide    ? CsvLayout::Fit::narrow
                 : titled ? CsvLayout::Fit::framed
                          : CsvLayout::Fit::even;
    return layout;
  }
  if (rows.size() - first < 2) return layout;
  const auto shape = shape_of(rows[first - 1], rows.subspan(first), delimiter);
  const bool title_alone = is_text_line(rows[first - 1]) && rows[first - 1].fields.size() == 1;
  if (shape && !(title_alone && proves_names(rows.subspan(first), known))) {
    layout.names = *shape;
    --first;
  }
  const auto is_title = [](const SampleRow& row) { return is_text_line(row); };
  if (first > most_text_lines ||
      !std::all_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(first), is_title)) {
    return {};
  }
  // Of a text above rows without names, and of 1,5 below x, it is not known what they are.
  if (first > 0 && layout.names == NamesShape::fitting &&
      header_verdict(rows[first], rows.subspan(first + 1), known) == HeaderVerdict::data) {
    return {};
  }
  layout.first = first;
  layout.fit = wide ? CsvLayout::Fit::framed : CsvLayout::Fit::narrow;
  return layout;
}

}  // namespace atl::io
