// CSV by RFC 4180, and what people write besides: another delimiter, LF alone, blanks around
// fields. Blanks around an unquoted field or around the quotes are not part of it; a quote inside
// an unquoted field is an ordinary character. Blank lines are passed over; in a table of one column
// those between rows are rows with an empty field, and those before the first row and behind the
// last are not. There "" is a row wherever it stands. A row that repeats the names of two columns
// or more, as in files joined end to end, is passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/csv/text_structure.hpp"
#include "io/tables/text/text_buffer.hpp"

namespace atl::io {

class CsvReader : public TableReader {
 public:
  /// Reads the first row, which fixes the number of columns.
  /// @param name    the file's, for messages
  /// @param dialect  without names columns are column_1, column_2, ...
  /// @param memory  bytes for all columns (column_bytes)
  /// @throws BadCell; BadData if there is no row, or too many columns
  CsvReader(std::unique_ptr<TextSource> source, std::string name, const CsvDialect& dialect,
            std::uint64_t memory = ~std::uint64_t{0});

  const std::vector<DeclaredColumn>& columns() const noexcept override { return columns_; }
  bool next(RowBlock& block) override;
  std::vector<std::uint64_t> lines_of_repeated_names() const override { return repeated_; }

 private:
  /// A field's position while its row is split.
  struct Cursor {
    explicit Cursor(const char* start) noexcept : field(start) {}
    const char* field;                   ///< where the field starts
    const char* after_quotes = nullptr;  ///< behind its closing quote, if it is quoted
    std::string_view quoted;             ///< what the quotes enclose
    bool plain = true;                   ///< no quote or blank in it so far
    bool lone_return = false;            ///< some carriage return is no part of a line's end
  };
  enum class Progress : std::uint8_t {
    on,    ///< to the next bytes
    full,  ///< the block has the fields asked for
    open,  ///< the window ends within quotes
  };

  void skip_line();
  void name_columns(bool header);
  /// Lines that follow each other.
  struct BlankLines {
    std::uint64_t first = 0, count = 0;
  };

  bool next_held(RowBlock& block);
  bool hold_blank_lines(RowBlock& block);
  void refuse_lone_return(const RowBlock& block) const;
  bool read_rows(RowBlock& block, std::size_t fields);
  void split(RowBlock& block, std::size_t fields);
  Progress split_plain(RowBlock& block, std::size_t fields, const char* base,
                       const TextStructure& found, std::uint64_t within, Cursor& cursor);
  Progress split_any(RowBlock& block, std::size_t fields, const char* base,
                     const TextStructure& found, std::uint64_t within, Cursor& cursor);
  bool open_quotes(const char* quote, Cursor& cursor);
  void end_quoted(RowBlock& block, const Cursor& cursor, const char* stop);
  std::size_t end_of_row(const RowBlock& block, std::size_t first, const char* stop) const noexcept;
  std::size_t end_row(RowBlock& block, std::size_t end, bool quoted);
  void note_blank_line(bool blank) noexcept;
  bool repeats_names(const RowBlock& block) const noexcept;
  void read_more();
  [[noreturn]] void fail(std::size_t field, const std::string& found,
                         const std::string& expected) const;

  TextBuffer text_;
  std::string name_;
  CsvDialect dialect_;
  std::uint64_t memory_;
  std::vector<DeclaredColumn> columns_;
  RowBlock first_;  ///< the first row, if it is not a header
  std::uint64_t first_line_ = 0;
  std::vector<std::string> names_;       ///< of two columns or more, as the first row has them
  std::vector<std::uint64_t> repeated_;  ///< lines of rows that repeat them
  std::vector<char> unescaped_;  ///< fields with escaped quotes; not reallocated within a block
  bool last_line_ended_ = false;

  // Of a table of one column: blank lines are rows as soon as another row follows.
  BlankLines before_, behind_;  ///< the rows that are held, or the last ones
  RowBlock held_;

  // The row being split, kept when the window ends within it.
  std::uint64_t line_ = 1;          ///< where it begins
  std::uint64_t quoted_lines_ = 0;  ///< line feeds within its quotes
  std::size_t row_begin_ = 0;       ///< its first field's place in the block
  std::size_t complete_fields_ = 0;
  std::uint64_t open_quote_line_ = 0;  ///< where a quote is still open; 0 if none is
};

}  // namespace atl::io
