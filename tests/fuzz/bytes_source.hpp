#pragma once

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/columns/token_map.hpp"
#include "io/tables/text/text_source.hpp"
#include "io/tables/values/value_reader.hpp"
#include "src/data/date.hpp"

namespace atl::io {

/// Bytes in memory as a text source, in pieces of a given size.
class BytesSource : public TextSource {
 public:
  BytesSource(std::string bytes, std::size_t piece) : bytes_(std::move(bytes)), piece_(piece) {}
  std::size_t read(char* into, std::size_t capacity) override {
    const std::size_t got = std::min({capacity, piece_, bytes_.size() - at_});
    bytes_.copy(into, got, at_);
    at_ += got;
    return got;
  }

 private:
  std::string bytes_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

/// A date must be written so that it is read back.
inline void check(const std::optional<Moment>& moment) {
  if (!moment || moment->flaw != nullptr) return;
  if (!is_date_value(moment->microseconds, moment->kind)) std::abort();
  const auto back = parse_date(date_text(moment->microseconds, moment->kind));
  if (!back || back->kind != moment->kind || back->microseconds != moment->microseconds)
    std::abort();
}

/// Reads all rows, counts their fields, as the import does, and takes them for dates.
inline void consume(TableReader& reader) {
  std::vector<ValueReader> dates(1);
  for (const DeclaredColumn& column : reader.columns()) {
    if (!column.format.empty()) dates.push_back({*column.kind, DateFormat(column.format)});
  }
  RowBlock block;
  TokenMap tokens;
  while (reader.next(block)) {
    if (block.rows == 0 || block.lines.size() != block.rows) std::abort();
    if (block.fields.size() != block.rows * reader.columns().size()) std::abort();
    for (const std::string_view field : block.fields) {
      if (tokens.find(field) == TokenMap::none) tokens.add(field);
      for (const ValueReader& date : dates) check(date.moment(field));
    }
  }
}

}  // namespace atl::io
