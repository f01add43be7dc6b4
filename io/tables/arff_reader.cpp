#include "io/tables/arff_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "io/tables/arff_header.hpp"
#include "io/tables/arff_scanner.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

const std::string zero = "0";

}  // namespace

bool looks_like_arff(TextSource& text) {
  std::string sample(std::size_t{1} << 16, '\0');
  sample.resize(text.read(sample.data(), sample.size()));
  std::string_view rest = sample;
  if (rest.substr(0, 3) == "\xEF\xBB\xBF") rest.remove_prefix(3);
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
}

bool ArffReader::next(RowBlock& block) {
  block.clear();
  unescaped_.clear();
  unescaped_.reserve(text_.capacity() + TextBuffer::padding);
  while (block.fields.size() < block_fields) {
    const std::optional<std::string_view> line = take_line();
    if (!line) {
      if (block.rows > 0) return true;
      if (!read_more()) return false;
      unescaped_.reserve(text_.capacity() + TextBuffer::padding);
      continue;
    }
    const std::size_t first = line->find_first_not_of(" \t");
    if (first == std::string_view::npos || (*line)[first] == '%') continue;
    if ((*line)[first] == '{') {
      sparse_row(*line, block);
    } else {
      dense_row(*line, block);
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

/// False at the end of the text.
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

void ArffReader::dense_row(std::string_view line, RowBlock& block) {
  ArffScanner scanner(line, name_, line_);
  const std::size_t first = block.fields.size();
  do {
    block.fields.push_back(scanner.value(",", unescaped_));
  } while (scanner.accept(','));
  scanner.expect_end();
  const std::size_t count = block.fields.size() - first;
  if (count != columns_.size()) {
    throw BadCell(name_, line_, std::min(count, columns_.size()) + 1,
                  std::to_string(count) + " fields",
                  std::to_string(columns_.size()) + ", one for each attribute");
  }
}

void ArffReader::sparse_row(std::string_view line, RowBlock& block) {
  ArffScanner scanner(line, name_, line_);
  scanner.expect('{', "before a sparse row");
  const std::size_t first = block.fields.size();
  for (const DeclaredColumn& column : columns_) {
    block.fields.push_back(column.labels.empty() ? zero : column.labels.front());
  }
  if (scanner.accept('}')) return scanner.expect_end();
  std::vector<bool> given(columns_.size(), false);
  do {
    scanner.skip_blanks();
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
    block.fields[first + place] = scanner.value(",}", unescaped_);
  } while (scanner.accept(','));
  scanner.expect('}', "after a sparse row");
  scanner.expect_end();
}

}  // namespace atl::io
