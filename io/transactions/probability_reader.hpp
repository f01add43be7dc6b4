#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// Reads the probabilities that transactions exist: a number a line, as `generate` writes them.
/// @param name   the file's, for messages
/// @param count  of transactions
/// @throws BadCell, with line and column (in bytes), for what is no number above 0 and at most 1;
///         BadData for fewer or more lines than transactions, and as for_each_line; IoError
std::vector<double> read_probabilities(std::unique_ptr<TextSource> source, const std::string& name,
                                       std::uint64_t count);

}  // namespace atl::io
