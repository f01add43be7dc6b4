#include "io/tables/arff/arff_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "io/tables/arff/arff_header.hpp"
#include "io/tables/arff/arff_scanner.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

const std::string zero = "0";

std::string_view without_blanks_behind(std::string_view line) noexcept {
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

/// {5} behind the values, by which Weka counts a row several times.
/// @param line  ends in }
bool has_weight(std::string_view line) {
  const std::size_t brace = line.rfind('{');
  if (brace == std::string_view::npos || brace == 0) return false;
  const char before = line[brace - 1];
  const std::string_view weight = line.substr(brace + 1, line.size() - brace - 2);
  return (before == ',' || before == ' ' || before == '\t') && parse_number(weight);
}

[[noreturn]] void refuse_weight(const ArffScanner& scanner) {
  scanner.fail("a row without a weight in braces behind it, as rows are counted alike");
}

}  // namespace

bool looks_like_arff(TextSource& text) {
  std::string sample(std::size_t{1} << 16, '\0');
  sample.resize(text.read(sample.data(), sample.size()));
  std::string_view rest = sample;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  for (;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (rest.empty() || rest.front() != '%') break;
    rest.remove_prefix(std::min(rest.find('\n'), rest.size()));
  }
  const auto starts_with = [&](std::string_view word) {
    return rest.size() >= word.size() &&
           std::equal(word.begin(), word.end(), rest.begin(), [](char expected, char c) {
             return expected == (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
           });
  };
  return starts_with("@relation") || starts_with("@attribute");
}

ArffReader::ArffReader(std::unique_ptr<TextSource> source, std::string name, std::uint64_t memory)
    : text_(std::move(source), max_row_bytes), name_(std::move(name)) {
  ArffHeader header(name_, memory);
  for (;;) {
    const std::optional<std::string_view> line = take_line();
    if (!line) {
      if (!read_more()) throw BadData(name_, "has no @data, expected it after the attributes");
    } else if (!header.add(*line, line_)) {
      break;
    }
  }
  columns_ = header.take_columns();
  text_.hold(fields_of_block(columns_.size()) * window_bytes_per_field);
}

bool ArffReader::next(RowBlock& block) {
  block.clear();
  unescaped_.clear();
  unescaped_.reserve(text_.capacity() + TextBuffer::padding);
  const std::size_t fields = fields_of_block(columns_.size());
  while (block.fields.size() < fields) {
    const std::optional<std::string_view> line = take_line();
    if (!line) {
      if (block.rows > 0) return true;
      if (!read_more()) return false;
      unescaped_.reserve(text_.capacity() + TextBuffer::padding);
      continue;
    }
    ArffScanner scanner(*line, name_, line_);
    if (scanner.at_end()) continue;
    if (scanner.at('{')) {
      sparse_row(scanner, block);
    } else {
      dense_row(scanner, block);
    }
    block.lines.push_back(line_);
    ++block.rows;
  }
  return true;
}

/// The next line without its end, if the window holds it.
std::optional<std::string_view> ArffReader::take_line() {
  const char* const begin = text_.begin();
  const auto size = static_cast<std::size_t>(text_.end() - begin);
  const auto* const end = static_cast<const char*>(std::memchr(begin, '\n', size));
  if (end == nullptr) return std::nullopt;
  text_.consume(end + 1);
  ++line_;
  std::string_view line(begin, static_cast<std::size_t>(end - begin));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::size_t lone = line.find('\r');  // elsewhere the line ends there
  if (lone != std::string_view::npos) {
    throw BadCell(name_, line_, lone + 1, std::string(line.substr(lone, 100)),
                  "line ends of LF or CR LF");
  }
  return line;
}

/// Reads more. False at the end of the text.
bool ArffReader::read_more() {
  switch (text_.more()) {
    case MoreText::grown:
      return true;
    case MoreText::end:
      if (text_.begin() == text_.end() || last_line_ended_) return false;
      last_line_ended_ = true;
      text_.end_line();
      return true;
    case MoreText::fault:
      throw BadCell(name_, line_ + 1, static_cast<std::uint64_t>(text_.end() - text_.begin()) + 1,
                    std::string(1, text_.faulty_byte()), text_.expected_text());
    case MoreText::full:
      break;
  }
  throw BadCell(name_, line_ + 1, 1, "a line of more than 64 MiB", "a line of at most 64 MiB");
}

/// Values are between commas if these give as many as there are attributes: then blanks belong to
/// values. Else they are between tabs or, if need be, blanks.
void ArffReader::dense_row(const ArffScanner& scanner, RowBlock& block) {
  const std::string_view line = without_blanks_behind(scanner.line());
  if (line.back() == '}' && has_weight(line)) refuse_weight(scanner);
  const std::size_t first = block.fields.size();
  const std::size_t escaped = unescaped_.size();
  const auto discard = [&] {
    block.fields.resize(first);
    unescaped_.resize(escaped);
  };
  ArffScanner by_commas = scanner;
  comma_separated(by_commas, block);
  std::size_t count = block.fields.size() - first;
  const bool fits = count == columns_.size() && by_commas.at_end();
  // A value in quotes may have commas, so the row may have been cut within one.
  if (fits && (!by_commas.saw_quote_in_value() || scanner.has_open_quote())) return;
  for (const std::string_view separators : {"\t,", " \t,"}) {
    discard();
    if (separated(scanner, separators, block)) return;
  }
  if (!fits && count > 1) {
    discard();
    if (mixed(scanner, block)) return;
  }
  if (count == 1) count = block.fields.size() - first;
  // A row that a comment leaves too short has a % among its values, if it fits with them.
  const bool short_of_values = !fits && count != columns_.size();
  if (short_of_values && !scanner.has_comment()) fail_count(scanner, count);
  discard();
  by_commas = short_of_values ? scanner.without_comments() : scanner;
  comma_separated(by_commas, block);
  const std::size_t values = block.fields.size() - first;
  if (values != columns_.size()) fail_count(scanner, short_of_values ? count : values);
  by_commas.expect_end();
}

/// Adds the values of a row, without an empty one behind a comma at the end that is too many.
void ArffReader::comma_separated(ArffScanner& scanner, RowBlock& block) {
  const std::size_t first = block.fields.size();
  bool quoted = false;
  do {
    quoted = scanner.at_quote();
    block.fields.push_back(scanner.value(",", unescaped_));
  } while (scanner.accept(','));
  const bool one_more = block.fields.size() - first == columns_.size() + 1;
  if (one_more && !quoted && block.fields.back().empty()) block.fields.pop_back();
}

/// Adds the values of a row without commas outside quotes, which has one of the separators or
/// several between two of them. False if these are not as many as there are attributes.
bool ArffReader::separated(ArffScanner scanner, std::string_view separators, RowBlock& block) {
  const std::size_t first = block.fields.size();
  while (!scanner.at_end()) {
    const bool quoted = scanner.at_quote();
    block.fields.push_back(scanner.value(separators, unescaped_));
    if (scanner.at(',') || (quoted && scanner.touches())) return false;
  }
  return block.fields.size() - first == columns_.size();
}

/// Adds the values of a row with commas between some of its values and blanks between others. As a
/// value with blanks may be meant, each must be what its attribute declares: a number or a label.
bool ArffReader::mixed(ArffScanner scanner, RowBlock& block) {
  for (const DeclaredColumn& column : columns_) {
    const bool quoted = scanner.at_quote();
    const std::string_view value = scanner.value(" \t,", unescaped_);
    if (quoted && scanner.touches() && !scanner.at(',')) return false;
    const bool number = column.kind == AttributeKind::numeric && parse_number(value).has_value();
    const bool label =
        std::find(column.labels.begin(), column.labels.end(), value) != column.labels.end();
    if (!number && !label && !quoted && value != "?") return false;
    block.fields.push_back(value);
    scanner.accept(',');
  }
  return scanner.at_end();
}

void ArffReader::fail_count(const ArffScanner& scanner, std::size_t count) const {
  throw BadCell(name_, line_, std::min(count, columns_.size()) + 1, counted(count, "field"),
                std::to_string(columns_.size()) + ", one for each attribute" +
                    (scanner.has_comment() ? "; % outside quotes begins a comment" : ""));
}

void ArffReader::sparse_row(ArffScanner scanner, RowBlock& block) {
  scanner.expect('{', "before a sparse row");
  const std::size_t first = block.fields.size();
  for (const DeclaredColumn& column : columns_) {
    block.fields.push_back(column.labels.empty() ? zero : column.labels.front());
  }
  std::vector<bool> given(columns_.size(), false);
  const bool commas = scanner.line().find(',') != std::string_view::npos;
  while (!scanner.at_end() && !scanner.at('}')) {
    const ArffScanner reread = scanner;
    const std::string_view index = scanner.word(",}", unescaped_);
    std::size_t place = 0;
    const auto result = std::from_chars(index.data(), index.data() + index.size(), place);
    if (result.ec != std::errc() || result.ptr != index.data() + index.size() ||
        place >= columns_.size() || given[place]) {
      reread.fail("the number of an attribute, from 0 to " + std::to_string(columns_.size() - 1) +
                  ", each at most once");
    }
    given[place] = true;
    block.fields[first + place] = sparse_value(scanner, commas);
    if (commas && !scanner.accept(',')) break;
  }
  scanner.expect('}', "after a sparse row");
  if (scanner.at(',') || scanner.at('{')) refuse_weight(scanner);
  scanner.expect_end();
}

/// A value of a sparse row. What looks like a value, a number and another value are two pairs of a
/// row without commas.
std::string_view ArffReader::sparse_value(ArffScanner& scanner, bool commas) {
  const bool quoted = scanner.at_quote();
  const ArffScanner reread = scanner;
  const std::string_view value = scanner.value(",}", unescaped_);
  if (quoted) return value;
  std::string_view rest = value.substr(std::min(value.find_first_of(" \t"), value.size()));
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  const bool two_pairs =
      digits > 0 && digits < rest.size() && (rest[digits] == ' ' || rest[digits] == '\t');
  if (!two_pairs) return value;
  if (commas) reread.fail("a comma behind each value, or quotes around one with blanks");
  scanner = reread;
  return scanner.word("}", unescaped_);
}

}  // namespace atl::io
