#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "src/generate/block_stream.hpp"

namespace atl {

/// Text of which every row is a line.
struct Lines {
  std::string header = {};    ///< with its line break; may be empty
  std::size_t row_bytes = 0;  ///< of a row, roughly
  /// Appends the lines of a slice, while other threads make others. The worker's number is below
  /// the threads of this rank; two calls at once have different ones.
  std::function<void(RowRange slice, unsigned worker, std::string& text)> make;
};

/// Makes the lines on all ranks. Rank 0 writes the file, which exists only once complete. The same
/// bytes for any number of ranks and threads. Collective.
/// @throws CannotCreate, IoError
void write_lines(const Lines& lines, std::uint64_t rows, const std::string& path,
                 const Makers& makers);

}  // namespace atl
