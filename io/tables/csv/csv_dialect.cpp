#include "io/tables/csv/csv_dialect.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "io/tables/values/written_number.hpp"
#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

/// The place in the first rows of a text where the table begins, if they are split in one way.
struct CsvLayout {
  enum class Fit : std::uint8_t {
    even,    ///< all rows have the same number of fields, and two columns or more have a value
    framed,  ///< all but lines above the table, or the names, which are one more or fewer
    narrow,  ///< all rows have the same number, and one column has values at most
    ragged,  ///< neither, or one column only
  };
  Fit fit = Fit::ragged;
  std::size_t first = 0;  ///< of the rows: where the table begins
  NamesShape names = NamesShape::fitting;
};

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
  // The comma of 1,5 below x may be a decimal one.
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

/// @param rows  not empty
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
  // It is not known what a text above rows without names is, or 1,5 below x.
  if (first > 0 && layout.names == NamesShape::fitting &&
      header_verdict(rows[first], rows.subspan(first + 1), known) == HeaderVerdict::data) {
    return {};
  }
  layout.first = first;
  layout.fit = wide ? CsvLayout::Fit::framed : CsvLayout::Fit::narrow;
  return layout;
}

constexpr std::string_view delimiters = "\t;|,";

std::string spoken(char delimiter) {
  if (delimiter == ' ') return "blank";
  return delimiter == '\t' ? "tab" : in_quotes(std::string(1, delimiter));
}

std::string lines_to(std::uint64_t last) {
  return last == 1 ? "line 1" : "lines 1 to " + std::to_string(last);
}

/// The first rows, split in one way.
struct Split {
  char delimiter = ',';
  char quote = '"';
  SampleRows sample;
  CsvLayout layout;

  std::span<const SampleRow> table() const { return std::span(sample.rows).subspan(layout.first); }
};

/// The start of a text, without what Excel and comments put above the table.
class Start {
 public:
  explicit Start(TextSample sample) : sample_(std::move(sample)), rest_(sample_.text) {
    take_separator();
    take_comments();
  }

  /// The delimiter that the first line names, as Excel writes it.
  std::optional<char> separator() const { return separator_; }
  std::uint64_t comments() const { return comments_; }
  /// The last comment, behind its '#', if it stands right above the rest.
  std::string_view comment() const { return comment_; }
  std::uint64_t line() const { return line_; }  ///< where the rest begins, from 1

  Split split(char delimiter, char quote, const std::vector<std::string>& known) const {
    Split split{delimiter, quote, sample_rows(rest_, sample_.whole, line_, delimiter, quote), {}};
    if (!split.sample.rows.empty()) {
      split.layout = layout_of(split.sample.rows, delimiter, known);
    }
    return split;
  }

 private:
  std::string_view first_line() const {
    std::string_view line = rest_.substr(0, rest_.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  void pass_line() {
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
    ++line_;
  }
  void take_separator() {
    std::string_view line = first_line();
    if (line.size() > 2 && line.starts_with('"') && line.ends_with('"')) {
      line = line.substr(1, line.size() - 2);
    }
    if (line.size() != 5 || (!line.starts_with("sep=") && !line.starts_with("SEP="))) return;
    separator_ = line.back();
    pass_line();
  }
  void take_comments() {
    const std::string_view before = rest_;
    const std::uint64_t line = line_;
    while (rest_.starts_with('#')) {
      comment_ = first_line().substr(1);
      pass_line();
      ++comments_;
    }
    if (rest_.find_first_not_of(" \t\r\n") != std::string_view::npos) return;
    rest_ = before;  // all lines begin so
    line_ = line;
    comments_ = 0;
    comment_ = {};
  }

  TextSample sample_;
  std::string_view rest_;
  std::optional<char> separator_;
  std::string_view comment_;
  std::uint64_t comments_ = 0;
  std::uint64_t line_ = 1;
};

/// The less, the better: text behind closing quotes is hardly meant.
int rank_of(const Split& split) {
  const int fit = static_cast<int>(split.layout.fit);
  const bool fits = split.layout.fit <= CsvLayout::Fit::framed;
  return fits && split.sample.well_quoted ? fit : fit + 2;
}

Split best_split(const Start& start, std::string_view candidates, char quote,
                 const std::vector<std::string>& known) {
  const auto fields = [](const Split& of) { return of.sample.rows.front().fields.size(); };
  std::optional<Split> best;
  for (const char candidate : candidates) {
    Split split = start.split(candidate, quote, known);
    if (split.sample.rows.empty()) return split;
    const bool both_ragged = best && best->layout.fit == CsvLayout::Fit::ragged &&
                             split.layout.fit == CsvLayout::Fit::ragged;
    if (!best || rank_of(split) < rank_of(*best) ||
        (both_ragged && fields(split) > fields(*best))) {
      best = std::move(split);
    }
  }
  const bool none_splits = best->layout.fit == CsvLayout::Fit::ragged && fields(*best) == 1;
  return none_splits ? start.split(candidates.back(), quote, known) : std::move(*best);
}

/// Are single quotes what encloses fields in it?
bool is_single_quoted(const Split& split) {
  return split.sample.quoted > 0 && split.sample.well_quoted &&
         split.layout.fit <= CsvLayout::Fit::framed;
}

Split best_split(const Start& start, const DialectHints& hints) {
  std::optional<char> given = hints.delimiter;
  if (!given) given = start.separator();
  const std::string candidates = given ? std::string(1, *given) : std::string(delimiters);
  Split usual = best_split(start, candidates, '"', hints.names);
  if (!given && !usual.sample.well_quoted) {
    Split blanks = start.split(' ', '"', hints.names);
    if (blanks.sample.well_quoted && blanks.layout.fit <= CsvLayout::Fit::framed) return blanks;
  }
  if (usual.sample.quoted > 0) return usual;
  Split single = best_split(start, candidates, '\'', hints.names);
  return is_single_quoted(single) && single.layout.fit <= usual.layout.fit ? single : usual;
}

/// Marks that follow every row and are no part of its last value: "1,2,x;;".
void refuse_tails(const Split& split, const std::string& name, const std::string& options) {
  const auto tail = [&](const SampleRow& row) {
    const std::string_view last = row.fields.back();
    const std::size_t end = last.find_last_not_of(";,|\t");
    return last.substr(end == std::string_view::npos ? 0 : end + 1);
  };
  const auto rows = split.table();
  const std::string_view first = rows.empty() ? std::string_view() : tail(rows.front());
  if (first.empty() || rows.size() < 2 || rows.front().fields.size() < 2) return;
  if (*(first.data() + first.size()) == split.quote) return;
  if (!std::all_of(rows.begin(), rows.end(),
                   [&](const SampleRow& row) { return tail(row) == first; })) {
    return;
  }
  throw BadCell(name, rows.front().line, rows.front().fields.size(),
                std::string(rows.front().fields.back()),
                "no " + in_quotes(std::string(first)) + " behind each row: take it away, or give " +
                    options + "delimiter");
}

/// A first row that alone has another number of fields than those below.
void refuse_odd_first_row(const Split& split, const std::string& name, const std::string& options) {
  const std::vector<SampleRow>& rows = split.sample.rows;
  constexpr std::size_t enough = 4;
  if (split.layout.fit != CsvLayout::Fit::ragged || rows.size() < enough) return;
  const std::size_t columns = rows[1].fields.size();
  const bool even = std::all_of(rows.begin() + 1, rows.end(),
                                [&](const SampleRow& row) { return row.fields.size() == columns; });
  if (!even || columns < 2) return;
  const std::size_t found = rows.front().fields.size();
  throw BadCell(name, rows.front().line, std::min(found, columns) + 1, counted(found, "field"),
                std::to_string(columns) +
                    " as in the lines below: take the line away if it is no part of the table, or "
                    "give " +
                    options + "delimiter");
}

/// Has a comment the names, as in "#a,b"?
bool has_names(const Start& start, const Split& split) {
  if (start.comments() == 0 || split.layout.first > 0) return false;
  const SampleRows names =
      sample_rows(start.comment(), true, start.line() - 1, split.delimiter, split.quote);
  if (names.rows.size() != 1) return false;
  const std::vector<std::string_view>& fields = names.rows.front().fields;
  return fields.size() == split.table().front().fields.size() &&
         (fields.size() > 1 || fields.front().find(' ') == std::string_view::npos);
}

}  // namespace

std::string numbered_name(std::size_t number) {
  return "column_" + std::to_string(number);
}

bool is_numbered_name(std::string_view name, std::size_t columns) {
  constexpr std::string_view stem = "column_";
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  const std::optional<std::uint64_t> number = whole_number(name);
  return number && *number >= 1 && *number <= columns;
}

CsvDialect detect_dialect(const TextInput& input, const DialectHints& hints, const Report& report) {
  return detect_dialect(sample_of(*input.open()), input.name(), hints, report);
}

CsvDialect detect_dialect(TextSample sample, const std::string& name, const DialectHints& hints,
                          const Report& report) {
  const Start start(std::move(sample));
  const Split split = best_split(start, hints);
  CsvDialect dialect{.delimiter = split.delimiter, .quote = split.quote};
  if (split.sample.rows.empty()) return dialect;
  refuse_tails(split, name, hints.options);
  refuse_odd_first_row(split, name, hints.options);
  const auto table = split.table();
  const auto say = [&](const std::string& text) { report(Severity::info, name + ": " + text); };
  dialect.names = split.layout.names;
  if (split.layout.first > 0 || start.line() > 1) dialect.skipped = table.front().line - 1;

  std::string doubt;
  if (hints.header) dialect.header = *hints.header;
  if (dialect.header && dialect.names == NamesShape::fitting) {
    const HeaderVerdict verdict = header_verdict(table.front(), table.subspan(1), hints.names);
    if (!hints.header) dialect.header = verdict != HeaderVerdict::data;
    const auto& fields = table.front().fields;
    dialect.proven = (hints.header || verdict == HeaderVerdict::proven) &&
                     !std::all_of(fields.begin(), fields.end(), is_written_number);
    if (verdict != HeaderVerdict::proven && has_names(start, split)) {
      dialect.header = dialect.commented = true;
      dialect.skipped = start.line() - 2;
    } else if (verdict == HeaderVerdict::likely && !hints.header) {
      doubt = ", as nothing tells otherwise (else give " + hints.options + "no-header)";
    }
  }
  if (!dialect.header) dialect.names = NamesShape::fitting;
  if (dialect.skipped > 0) {
    std::string text = "left out " + lines_to(dialect.skipped) + " above the table";
    if (split.layout.first > 0 && !split.sample.rows.front().fields.front().empty()) {
      text +=
          ", beginning with " + in_quotes(std::string(split.sample.rows.front().fields.front()));
    }
    say(text);
  }
  if (dialect.names == NamesShape::row_names) {
    say("there is one name fewer than columns: the first column has the names of the rows, as R "
        "writes them");
  }
  std::string assumed;
  const auto assume = [&](const std::string& text) {
    assumed += (assumed.empty() ? "" : ", ") + text;
  };
  if (!hints.delimiter) assume("delimiter " + spoken(dialect.delimiter));
  if (dialect.quote != '"') assume("single quotes around fields");
  if (!hints.header) {
    const std::uint64_t line = dialect.commented ? dialect.skipped + 1 : table.front().line;
    assume(!dialect.header ? "no header"
                           : (line == 1 ? "first line" : "line " + std::to_string(line)) +
                                 std::string(" holds the names") + doubt);
  }
  if (!assumed.empty()) say("assumed " + assumed);
  return dialect;
}

}  // namespace atl::io
