#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/text/text_source.hpp"
#include "io/tables/values/written_number.hpp"

namespace atl::io {

inline constexpr const char* expected_probability = "a probability, above 0 and at most 1";

/// Is there a number, and is it what messages call expected_probability?
inline bool is_probability(const std::optional<double>& value) noexcept {
  return value && *value > 0 && *value <= 1;
}

/// Reads the probabilities that transactions exist: a number a line, as `generate` writes them.
/// @param name   the file's, for messages
/// @param count  of transactions
/// @throws BadCell, with line and column (in bytes), for what is no number above 0 and at most 1;
///         BadData for fewer or more lines than transactions, and as for_each_line; IoError
std::vector<double> read_probabilities(std::unique_ptr<TextSource> source, const std::string& name,
                                       std::uint64_t count);

/// Reads them from a column of a table of transactions: a number a row. A decimal comma counts
/// where `decimal` says so.
/// @param name  the file's, for messages
/// @throws BadCell, with line and field, for what is no number above 0 and at most 1; UsageError if
///         no column has this name, BadData if two have, and as TableReader::next
std::vector<double> read_probability_column(TableReader& table, const std::string& name,
                                            const std::string& column,
                                            DecimalMark decimal = DecimalMark::detected);

}  // namespace atl::io
