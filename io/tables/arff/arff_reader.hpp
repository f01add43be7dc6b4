// ARFF (Weka) and KEEL's .dat, which is ARFF with @inputs, @outputs, ranges and <null>.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/text/text_buffer.hpp"

namespace atl::io {

/// Does the text begin, after comments, with @relation or @attribute?
bool looks_like_arff(TextSource& text);

class ArffScanner;

/// Dense and sparse rows. The values of a row are between commas, or, if these give another number
/// than there are attributes, between tabs or blanks; a comma at the end is passed over. What a
/// sparse row leaves out is 0, or the first label of a nominal column. Outputs are the columns of
/// @outputs, else one named "class", whatever its case.
class ArffReader : public TableReader {
 public:
  /// Reads the header, up to @data.
  /// @param name  the file's, for messages
  /// @throws BadCell, with the byte as column; BadData if there is no @data
  /// @param memory  bytes for all columns (column_bytes), declared labels among them
  ArffReader(std::unique_ptr<TextSource> source, std::string name,
             std::uint64_t memory = ~std::uint64_t{0});

  const std::vector<DeclaredColumn>& columns() const noexcept override { return columns_; }
  bool next(RowBlock& block) override;

 private:
  std::optional<std::string_view> take_line();
  bool read_more();
  void dense_row(const ArffScanner& scanner, RowBlock& block);
  void comma_separated(ArffScanner& scanner, RowBlock& block);
  bool separated(ArffScanner scanner, std::string_view separators, RowBlock& block);
  bool mixed(ArffScanner scanner, RowBlock& block);
  [[noreturn]] void fail_count(const ArffScanner& scanner, std::size_t count) const;
  void sparse_row(ArffScanner scanner, RowBlock& block);
  std::string_view sparse_value(ArffScanner& scanner, bool commas);

  TextBuffer text_;
  std::string name_;
  std::vector<DeclaredColumn> columns_;
  std::uint64_t line_ = 0;  ///< of the line taken last
  bool last_line_ended_ = false;
  std::vector<char> unescaped_;  ///< values with escapes; not reallocated within a block
};

}  // namespace atl::io
