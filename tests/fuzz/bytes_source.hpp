#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "io/table_reader.hpp"
#include "io/text_source.hpp"
#include "io/token_map.hpp"

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

/// Reads all rows and counts their fields, as the import does.
inline void consume(TableReader& reader) {
  RowBlock block;
  TokenMap tokens;
  while (reader.next(block)) {
    if (block.rows == 0 || block.lines.size() != block.rows) std::abort();
    if (block.fields.size() != block.rows * reader.columns().size()) std::abort();
    for (const std::string_view field : block.fields) {
      if (tokens.find(field) == TokenMap::none) tokens.add(field);
    }
  }
}

}  // namespace atl::io
