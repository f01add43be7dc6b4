#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "io/tables/columns/token_map.hpp"
#include "src/core/files/temporary_file.hpp"

namespace atl::io {

/// A distinct token and the number of its rows. Valid during the call only.
using TokenVisitor = std::function<void(std::string_view token, std::uint64_t rows)>;

/// The part of a column's dictionary that was moved out of memory: runs in a temporary file shared
/// by all columns, each ascending by bytes (an external merge sort).
class TokenRuns {
 public:
  bool empty() const noexcept { return runs_.empty(); }
  /// Writes the map's tokens as a further run and empties the map. @throws IoError
  void spill(TokenMap& map, TemporaryFile& file);
  /// Merges all runs: each distinct token once, ascending by bytes. @throws IoError
  void merge(const TemporaryFile& file, const TokenVisitor& visit) const;

 private:
  struct Run {
    std::uint64_t begin, end;  ///< bytes in the file
  };
  std::vector<Run> runs_;
};

}  // namespace atl::io
