#include "io/tables/csv/csv_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

bool is_space_or_tab(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// The text up to `stop`, the field's end, without the blanks around it.
std::string_view without_blanks(const char* from, const char* stop) noexcept {
  if (*stop == '\n' && stop > from && stop[-1] == '\r') --stop;
  while (from < stop && is_space_or_tab(*from)) ++from;
  while (stop > from && is_space_or_tab(stop[-1])) --stop;
  return {from, static_cast<std::size_t>(stop - from)};
}

/// Carriage returns of 64 bytes that no line feed follows. @param after  the byte behind them
std::uint64_t lone_returns(const TextStructure& found, char after) noexcept {
  const std::uint64_t followed = found.line_feeds >> 1 | std::uint64_t{after == '\n'} << 63;
  return found.carriage_returns & ~followed;
}

}  // namespace

CsvReader::CsvReader(std::unique_ptr<TextSource> source, std::string name,
                     const CsvDialect& dialect, std::uint64_t memory)
    : text_(std::move(source), max_row_bytes),
      name_(std::move(name)),
      dialect_(dialect),
      memory_(memory) {
  while (line_ <= dialect.skipped && !last_line_ended_) skip_line();
  if (!read_rows(first_, 1)) throw BadData(name_, "is blank, expected a table");
  first_line_ = first_.lines.front();
  name_columns(dialect.header);
  if (dialect.header) first_.clear();
  text_.hold(fields_of_block(columns_.size()) * window_bytes_per_field);
}

void CsvReader::skip_line() {
  for (;;) {
    const auto size = static_cast<std::size_t>(text_.end() - text_.begin());
    const auto* const end = static_cast<const char*>(std::memchr(text_.begin(), '\n', size));
    if (end != nullptr) {
      text_.consume(end + 1);
      ++line_;
      return;
    }
    if (text_.begin() == text_.end() && last_line_ended_) return;
    read_more();
  }
}

/// Names columns by the first row, or by their places.
void CsvReader::name_columns(bool header) {
  std::vector<std::string> names;
  names.reserve(first_.fields.size());
  for (std::size_t i = 0; i < first_.fields.size(); ++i) {
    names.push_back(header ? std::string(first_.fields[i]) : numbered_name(i + 1));
  }
  if (dialect_.commented) {
    std::string& first = names.front();
    const std::size_t begin = first.find_first_not_of("# \t");
    if (begin != std::string::npos) first.erase(0, begin);
  } else if (header && dialect_.proven && names.size() > 1 &&
             dialect_.names == NamesShape::fitting) {
    names_ = names;
  }
  if (dialect_.names == NamesShape::row_names) names.insert(names.begin(), "");
  if (dialect_.names == NamesShape::open_end) names.emplace_back();
  if (dialect_.names == NamesShape::closed) names.pop_back();
  columns_.resize(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) columns_[i].name = std::move(names[i]);
}

bool CsvReader::next(RowBlock& block) {
  if (first_.rows > 0) {
    block = std::exchange(first_, {});
    return true;
  }
  return next_held(block) || read_rows(block, fields_of_block(columns_.size()));
}

/// Gives rows that hold_blank_lines() keeps; false if there are none.
bool CsvReader::next_held(RowBlock& block) {
  if (held_.rows == 0) return false;
  if (before_.count == 0) {
    block = std::exchange(held_, {});
    before_ = std::exchange(behind_, {});
    return true;
  }
  block.clear();
  block.rows = static_cast<std::size_t>(std::min<std::uint64_t>(before_.count, block_fields));
  static constexpr char nothing[TextBuffer::padding] =
      {};  // some bytes of a field may be looked at
  block.fields.assign(block.rows, std::string_view(nothing, 0));
  for (std::size_t row = 0; row < block.rows; ++row) block.lines.push_back(before_.first + row);
  before_.first += block.rows;
  before_.count -= block.rows;
  return true;
}

/// Takes the blank lines at the end of the block's rows out, and the rows, too, if blank lines come
/// before them. @return are the block's rows the next ones?
bool CsvReader::hold_blank_lines(RowBlock& block) {
  const auto blank = static_cast<std::size_t>(behind_.count);
  block.rows -= blank;
  block.lines.resize(block.rows);
  block.fields.resize(block.rows);
  if (block.rows == 0) {
    if (before_.count == 0) before_.first = behind_.first;
    before_.count += std::exchange(behind_, {}).count;
    return false;
  }
  if (before_.count > 0) {
    held_ = std::move(block);
    return next_held(block);
  }
  before_ = std::exchange(behind_, {});
  return true;
}

/// Rows until the block has so many fields or the window is used up; false at the end of text.
bool CsvReader::read_rows(RowBlock& block, std::size_t fields) {
  for (;;) {
    block.clear();
    split(block, fields);
    if (columns_.size() == 1 ? hold_blank_lines(block) : block.rows > 0) return true;
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
  constexpr std::size_t scanned = 8;  // blocks of 64 bytes at a time
  TextStructure structure[scanned];
  const char* const end = text_.end();
  Cursor cursor(text_.begin());
  unescaped_.clear();
  unescaped_.reserve(text_.capacity() + TextBuffer::padding);
  quoted_lines_ = 0;
  row_begin_ = 0;
  std::size_t next = scanned;
  for (const char* base = cursor.field; base < end; base += 64, ++next) {
    const auto left = static_cast<std::size_t>(end - base);
    if (next == scanned) {
      find_structure(base, std::min(scanned, (left + 63) / 64), dialect_.delimiter, dialect_.quote,
                     structure);
      next = 0;
    }
    const TextStructure& found = structure[next];
    const std::uint64_t within = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    // One at the window's end is looked at again when there is more.
    if ((lone_returns(found, base[64]) & within) != 0) cursor.lone_return = true;
    const bool plain = cursor.plain && !cursor.lone_return && (found.quotes | found.blanks) == 0;
    const Progress progress = plain ? split_plain(block, fields, base, found, within, cursor)
                                    : split_any(block, fields, base, found, within, cursor);
    if (block.fields.size() - row_begin_ > memory_ / column_bytes) {
      throw_too_many_columns(name_, memory_);
    }
    if (progress == Progress::full) return;
    if (progress == Progress::open) break;
  }
  complete_fields_ = block.fields.size() - row_begin_;
  block.fields.resize(row_begin_);
}

/// Splits fields that end among 64 bytes with neither quotes nor blanks, if the field that they
/// begin in had none before. It takes all of them first, without a look at where rows end.
CsvReader::Progress CsvReader::split_plain(RowBlock& block, std::size_t fields, const char* base,
                                           const TextStructure& found, std::uint64_t within,
                                           Cursor& cursor) {
  const std::size_t first = block.fields.size();
  block.fields.resize(first + 64);
  std::string_view* const fresh = block.fields.data() + first;
  std::string_view* field = fresh;
  const char* from = cursor.field;
  for (std::uint64_t left = found.separators & within; left != 0; left &= left - 1) {
    const char* const stop = base + std::countr_zero(left);
    *field++ = {from, static_cast<std::size_t>(stop - from)};
    from = stop + 1;
  }
  cursor = Cursor(from);
  block.fields.resize(first + static_cast<std::size_t>(field - fresh));

  std::size_t behind = first;  // the rows that are ended
  for (std::uint64_t ends = found.line_feeds & within; ends != 0; ends &= ends - 1) {
    const char* const stop = base + std::countr_zero(ends);
    behind = end_of_row(block, behind, stop);
    std::string_view& last = block.fields[behind - 1];
    if (!last.empty() && last.back() == '\r') last.remove_suffix(1);
    behind -= end_row(block, behind, false);
    text_.consume(stop + 1);
    if (behind >= fields) {
      block.fields.resize(behind);
      return Progress::full;
    }
  }
  return Progress::on;
}

/// Number of the block's fields up to the one that ends at `stop`, which is not before `first`.
std::size_t CsvReader::end_of_row(const RowBlock& block, std::size_t first,
                                  const char* stop) const noexcept {
  const auto ends_there = [&](std::size_t field) {
    return block.fields[field].data() + block.fields[field].size() == stop;
  };
  const std::size_t expected = row_begin_ + columns_.size();
  if (expected > first && expected <= block.fields.size() && ends_there(expected - 1)) {
    return expected;
  }
  while (!ends_there(first)) ++first;
  return first + 1;
}

CsvReader::Progress CsvReader::split_any(RowBlock& block, std::size_t fields, const char* base,
                                         const TextStructure& found, std::uint64_t within,
                                         Cursor& cursor) {
  for (std::uint64_t left = (found.separators | found.quotes) & within; left != 0;
       left &= left - 1) {
    const char* const stop = base + std::countr_zero(left);
    if (stop < cursor.after_quotes) continue;
    if (*stop == dialect_.quote) {
      if (cursor.after_quotes != nullptr || !std::all_of(cursor.field, stop, is_space_or_tab))
        continue;
      if (!open_quotes(stop, cursor)) return Progress::open;
      continue;
    }
    const bool quoted = cursor.after_quotes != nullptr;
    if (quoted) {
      end_quoted(block, cursor, stop);
    } else {
      block.fields.push_back(without_blanks(cursor.field, stop));
      if (cursor.lone_return) refuse_lone_return(block);
    }
    const bool lone_return = cursor.lone_return;
    cursor = Cursor(stop + 1);
    cursor.lone_return = lone_return;
    if (*stop != '\n') continue;
    end_row(block, block.fields.size(), quoted);
    text_.consume(stop + 1);
    if (block.fields.size() >= fields) return Progress::full;
  }
  const auto begun = cursor.field - base;  // of the field that goes on behind these bytes
  cursor.plain = cursor.after_quotes == nullptr && begun >= 0 &&
                 (begun == 64 || (found.quotes | found.blanks) >> begun == 0);
  return Progress::on;
}

/// Refuses what splits lines elsewhere: it would become part of a value.
void CsvReader::refuse_lone_return(const RowBlock& block) const {
  const std::string_view field = block.fields.back();
  if (field.find('\r') == std::string_view::npos) return;
  fail(block.fields.size() - row_begin_, std::string(field.substr(0, 100)),
       "line ends of LF or CR LF, and other carriage returns in quotes");
}

/// Opens the quotes. False if the window ends within the quotes.
bool CsvReader::open_quotes(const char* quote, Cursor& cursor) {
  const char* const end = text_.end();
  open_quote_line_ = line_ + quoted_lines_;
  const std::size_t kept = unescaped_.size();
  const char* from = quote + 1;  // of what is not yet copied
  for (const char* at = from;;) {
    const auto* const found = static_cast<const char*>(
        std::memchr(at, dialect_.quote, static_cast<std::size_t>(end - at)));
    if (found == nullptr || found + 1 == end) {
      quoted_lines_ += static_cast<std::uint64_t>(std::count(quote, end, '\n'));
      return false;
    }
    if (found[1] == dialect_.quote) {
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

/// Ends a quoted field. Only blanks may follow its quotes.
void CsvReader::end_quoted(RowBlock& block, const Cursor& cursor, const char* stop) {
  const std::string_view rest = without_blanks(cursor.after_quotes, stop);
  if (!rest.empty()) {
    fail(block.fields.size() - row_begin_ + 1, std::string(rest.substr(0, 100)),
         "a delimiter or the line's end after a closing quote");
  }
  block.fields.push_back(cursor.quoted);
}

/// Ends the row at the block's field `end`. @return its fields, if it is none and they are taken
/// out: of a blank line, or one that repeats the names; else 0
std::size_t CsvReader::end_row(RowBlock& block, std::size_t end, bool quoted) {
  const std::size_t count = end - row_begin_;
  // Files with a mark at their beginning may have been joined.
  std::string_view& first_field = block.fields[row_begin_];
  if (!first_field.empty() && first_field.front() == byte_order_mark.front() &&
      first_field.starts_with(byte_order_mark)) {
    first_field.remove_prefix(byte_order_mark.size());
  }
  const bool blank = count == 1 && !quoted && block.fields[row_begin_].empty();
  std::size_t taken_out = 0;
  if (blank && columns_.size() != 1) {
    taken_out = 1;
  } else {
    if (!columns_.empty() && count != columns_.size()) {
      quoted_lines_ = 0;  // the row's beginning is its place
      const bool comment = block.fields[row_begin_].starts_with('#');
      fail(std::min(count, columns_.size()) + 1, counted(count, "field"),
           std::to_string(columns_.size()) + " as in line " + std::to_string(first_line_) +
               (comment ? "; comments are left out above the table only" : ""));
    }
    if (!names_.empty() && block.fields[row_begin_] == names_.front() && repeats_names(block)) {
      repeated_.push_back(line_);
      taken_out = count;
    }
  }
  if (taken_out > 0) {
    const auto first = block.fields.begin() + static_cast<std::ptrdiff_t>(row_begin_);
    block.fields.erase(first, first + static_cast<std::ptrdiff_t>(taken_out));
  } else {
    if (count == 1) note_blank_line(blank);
    block.lines.push_back(line_);
    ++block.rows;
    row_begin_ = end;
  }
  line_ += 1 + quoted_lines_;
  quoted_lines_ = 0;
  return taken_out;
}

/// Counts the blank lines at the end of a table of one column, so far.
void CsvReader::note_blank_line(bool blank) noexcept {
  if (!blank) {
    behind_.count = 0;
  } else if (behind_.count++ == 0) {
    behind_.first = line_;
  }
}

/// Does the row that is being split?
bool CsvReader::repeats_names(const RowBlock& block) const noexcept {
  return std::equal(names_.begin(), names_.end(),
                    block.fields.begin() + static_cast<std::ptrdiff_t>(row_begin_));
}

void CsvReader::fail(std::size_t field, const std::string& found,
                     const std::string& expected) const {
  throw BadCell(name_, line_ + quoted_lines_, field, found, expected);
}

}  // namespace atl::io
