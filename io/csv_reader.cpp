#include "io/csv_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// The text up to `stop`, the field's end, without the blanks around it.
std::string_view without_blanks(const char* from, const char* stop) noexcept {
  if (*stop == '\n' && stop > from && stop[-1] == '\r') --stop;
  while (from < stop && is_blank(*from)) ++from;
  while (stop > from && is_blank(stop[-1])) --stop;
  return {from, static_cast<std::size_t>(stop - from)};
}

/// Bit i is set where bytes[i] is a delimiter, a line feed or a quote. Reads 64 bytes. Written so
/// that compilers vectorise the comparisons; the multiplication gathers the lowest bits of 8 bytes.
std::uint64_t structure(const char* bytes, char delimiter) noexcept {
  alignas(64) unsigned char hit[64];
  for (int i = 0; i < 64; ++i) {
    const char c = bytes[i];
    hit[i] = static_cast<unsigned char>((c == delimiter) | (c == '\n') | (c == '"'));
  }
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < 8; ++i) {
    std::uint64_t eight;
    std::memcpy(&eight, hit + std::size_t{8} * i, sizeof eight);
    mask |= ((eight * 0x0102040810204080ULL) >> 56) << (8 * i);
  }
  return mask;
}

}  // namespace

CsvReader::CsvReader(std::unique_ptr<TextSource> source, std::string name, char delimiter,
                     bool header)
    : text_(std::move(source), max_row_bytes), name_(std::move(name)), delimiter_(delimiter) {
  if (!read_rows(first_, 1)) throw BadData(name_, "is blank, expected a table");
  refuse_cr_line_ends();
  first_line_ = first_.lines.front();
  columns_.resize(first_.fields.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    columns_[i].name = header ? std::string(first_.fields[i]) : "column_" + std::to_string(i + 1);
  }
  if (header) first_.clear();
}

/// Line ends of CR alone make one row of the whole text.
void CsvReader::refuse_cr_line_ends() {
  if (text_.begin() != text_.end() || first_.lines.front() != 1) return;
  for (const std::string_view field : first_.fields) {
    const std::size_t at = field.find('\r');
    if (at == std::string_view::npos || field.find('\n') != std::string_view::npos) continue;
    throw BadData(name_, "has line ends of CR alone, expected LF or CR LF");
  }
}

bool CsvReader::next(RowBlock& block) {
  if (first_.rows > 0) {
    block = std::exchange(first_, {});
    return true;
  }
  return read_rows(block, block_fields);
}

/// Rows until the block has so many fields or the window is used up; false at the end of text.
bool CsvReader::read_rows(RowBlock& block, std::size_t fields) {
  for (;;) {
    block.clear();
    split(block, fields);
    if (block.rows > 0) return true;
    if (text_.begin() == text_.end() && last_line_ended_) return false;
    read_more();
  }
}

void CsvReader::read_more() {
  switch (text_.more()) {
    case MoreText::grown:
      return;
    case MoreText::end:
      if (open_quote_line_ > 0 && last_line_ended_) {
        throw BadCell(name_, open_quote_line_, complete_fields_ + 1, "an unclosed quote",
                      "a closing quote before the end of the file");
      }
      last_line_ended_ = true;
      if (text_.begin() != text_.end()) text_.end_line();
      return;
    case MoreText::fault:
      fail(complete_fields_ + 1, std::string(1, text_.faulty_byte()), text_.expected_text());
    case MoreText::full:
      if (open_quote_line_ > 0) {
        throw BadCell(name_, open_quote_line_, complete_fields_ + 1, "an unclosed quote",
                      "a closing quote within 64 MiB");
      }
      fail(complete_fields_ + 1, "a row of more than 64 MiB", "a row of at most 64 MiB");
  }
}

void CsvReader::split(RowBlock& block, std::size_t fields) {
  const char* const end = text_.end();
  Cursor cursor(text_.begin());
  const char* skip_to = cursor.field;  // what is before is within quotes
  unescaped_.clear();
  unescaped_.reserve(text_.capacity() + TextBuffer::padding);
  quoted_lines_ = 0;
  row_begin_ = 0;
  for (const char* base = cursor.field; base < end; base += 64) {
    std::uint64_t mask = structure(base, delimiter_);
    if (end - base < 64) mask &= (std::uint64_t{1} << (end - base)) - 1;
    for (; mask != 0; mask &= mask - 1) {
      const char* const stop = base + std::countr_zero(mask);
      if (stop < skip_to) continue;
      if (*stop == '"') {
        if (cursor.after_quotes != nullptr || !std::all_of(cursor.field, stop, is_blank)) continue;
        if (!open_quotes(stop, cursor)) {
          base = end;
          break;
        }
        skip_to = cursor.after_quotes;
        continue;
      }
      const bool quoted = cursor.after_quotes != nullptr;
      if (quoted) {
        end_quoted(block, cursor, stop);
      } else {
        block.fields.push_back(without_blanks(cursor.field, stop));
      }
      cursor = Cursor(stop + 1);
      if (*stop != '\n') continue;
      end_row(block, quoted);
      text_.consume(stop + 1);
      if (block.fields.size() >= fields) return;
    }
    if (base == end) break;
  }
  complete_fields_ = block.fields.size() - row_begin_;
  block.fields.resize(row_begin_);
}

/// False if the window ends within the quotes.
bool CsvReader::open_quotes(const char* quote, Cursor& cursor) {
  const char* const end = text_.end();
  open_quote_line_ = line_ + quoted_lines_;
  const std::size_t kept = unescaped_.size();
  const char* from = quote + 1;  // of what is not yet copied
  for (const char* at = from;;) {
    const auto* const found =
        static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end - at)));
    if (found == nullptr || found + 1 == end) {
      quoted_lines_ += static_cast<std::uint64_t>(std::count(quote, end, '\n'));
      return false;
    }
    if (found[1] == '"') {
      unescaped_.insert(unescaped_.end(), from, found + 1);
      at = from = found + 2;
      continue;
    }
    if (unescaped_.size() == kept) {
      cursor.quoted = {from, static_cast<std::size_t>(found - from)};
    } else {
      unescaped_.insert(unescaped_.end(), from, found);
      cursor.quoted = {unescaped_.data() + kept, unescaped_.size() - kept};
    }
    cursor.after_quotes = found + 1;
    quoted_lines_ += static_cast<std::uint64_t>(std::count(quote, found, '\n'));
    open_quote_line_ = 0;
    return true;
  }
}

/// Of a quoted field only blanks may follow the quotes.
void CsvReader::end_quoted(RowBlock& block, const Cursor& cursor, const char* stop) {
  const std::string_view rest = without_blanks(cursor.after_quotes, stop);
  if (!rest.empty()) {
    fail(block.fields.size() - row_begin_ + 1, std::string(rest.substr(0, 100)),
         "a delimiter or the line's end after a closing quote");
  }
  block.fields.push_back(cursor.quoted);
}

void CsvReader::end_row(RowBlock& block, bool quoted) {
  const std::size_t count = block.fields.size() - row_begin_;
  if (count == 1 && !quoted && block.fields.back().empty()) {  // a blank line
    block.fields.pop_back();
  } else {
    if (!columns_.empty() && count != columns_.size()) {
      quoted_lines_ = 0;  // the row's beginning is its place
      fail(std::min(count, columns_.size()) + 1, std::to_string(count) + " fields",
           std::to_string(columns_.size()) + " as in line " + std::to_string(first_line_));
    }
    block.lines.push_back(line_);
    ++block.rows;
    row_begin_ = block.fields.size();
  }
  line_ += 1 + quoted_lines_;
  quoted_lines_ = 0;
}

void CsvReader::fail(std::size_t field, const std::string& found,
                     const std::string& expected) const {
  throw BadCell(name_, line_ + quoted_lines_, field, found, expected);
}

}  // namespace atl::io
