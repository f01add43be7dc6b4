#include "io/tables/csv_dialect.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "io/tables/csv_reader.hpp"
#include "io/tables/schema.hpp"
#include "src/core/near_names.hpp"
#include "src/core/number.hpp"
#include "src/data/date.hpp"

namespace atl::io {
namespace {

constexpr std::size_t sample_rows = 100;
constexpr std::size_t sample_bytes = std::size_t{1} << 18;

std::string read_sample(TextSource& source) {
  std::string text(sample_bytes, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const std::size_t got = source.read(text.data() + size, text.size() - size);
    if (got == 0) break;
    size += got;
  }
  text.resize(size);
  return text;
}

/// Fields of each of the first rows; the last one only if it is complete or the only one.
std::vector<std::size_t> fields_of_rows(std::string_view text, char delimiter) {
  std::vector<std::size_t> rows;
  std::size_t fields = 1;
  bool quoted = false;
  bool blank = true;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '\n') {
      if (!blank) rows.push_back(fields);
      if (rows.size() == sample_rows) return rows;
      fields = 1;
      blank = true;
      continue;
    }
    if (!quoted && c == delimiter) ++fields;
    blank = blank && (c == '\r' || c == ' ');
  }
  if (rows.empty()) rows.push_back(fields);
  return rows;
}

/// What the first row's fields and those below, column by column, tell.
class HeaderEvidence {
 public:
  explicit HeaderEvidence(const RowBlock& first)
      : names_(first.fields.begin(), first.fields.end()),
        numbers_(names_.size(), true),
        dates_(names_.size(), true),
        any_(names_.size(), false) {}

  void add(const RowBlock& block) {
    for (std::size_t i = 0; i < block.fields.size(); ++i) {
      const std::size_t column = i % names_.size();
      const std::string_view field = block.fields[i];
      if (std::find(default_missing.begin(), default_missing.end(), field) !=
          default_missing.end()) {
        continue;
      }
      any_[column] = true;
      if (!parse_number(field)) numbers_[column] = false;
      if (!parse_date(field)) dates_[column] = false;
      if (field == names_[column]) recurs_ = true;
    }
  }

  bool header() const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      // Dates may be names, but hardly of a column of dates.
      const bool is_date = any_[i] && dates_[i] && parse_date(names_[i]);
      if (is_date || parse_number(names_[i])) return false;
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (any_[i] && (numbers_[i] || dates_[i]) && !names_[i].empty()) return true;
    }
    if (std::count(names_.begin() + 1, names_.end(), "") > 0) return false;
    const std::set<std::string> distinct(names_.begin(), names_.end());
    return distinct.size() == names_.size() && !recurs_;
  }

 private:
  std::vector<std::string> names_;
  std::vector<bool> numbers_, dates_;  ///< all fields below are
  std::vector<bool> any_;
  bool recurs_ = false;
};

bool detect_header(const TextInput& input, char delimiter, std::uint64_t memory) {
  CsvReader reader(input.open(), input.name(), delimiter, false, memory);
  RowBlock block;
  reader.next(block);
  HeaderEvidence evidence(block);
  for (std::size_t rows = 0; rows < sample_rows && reader.next(block); rows += block.rows) {
    evidence.add(block);
  }
  return evidence.header();
}

std::string spoken(char delimiter) {
  return delimiter == '\t' ? "tab" : in_quotes(std::string(1, delimiter));
}

}  // namespace

char detect_delimiter(std::string_view text) {
  char best = ',';
  std::size_t most = 1;
  for (const char candidate : {'\t', ';', '|', ','}) {
    const std::vector<std::size_t> rows = fields_of_rows(text, candidate);
    const bool even = std::all_of(rows.begin(), rows.end(),
                                  [&](std::size_t fields) { return fields == rows.front(); });
    if (even && rows.front() > 1) return candidate;
    if (rows.front() > most) {
      most = rows.front();
      best = candidate;
    }
  }
  return best;
}

CsvDialect detect_dialect(const TextInput& input, std::optional<char> delimiter,
                          std::optional<bool> header, std::uint64_t memory, const Report& report) {
  CsvDialect dialect;
  std::string assumed;
  if (!delimiter) {
    dialect.delimiter = detect_delimiter(read_sample(*input.open()));
    assumed = "delimiter " + spoken(dialect.delimiter);
  } else {
    dialect.delimiter = *delimiter;
  }
  if (!header) {
    dialect.header = detect_header(input, dialect.delimiter, memory);
    assumed += assumed.empty() ? "" : ", ";
    assumed += dialect.header ? "first line holds the names" : "no header";
  } else {
    dialect.header = *header;
  }
  if (!assumed.empty()) report(Severity::info, input.name() + ": assumed " + assumed);
  return dialect;
}

}  // namespace atl::io
