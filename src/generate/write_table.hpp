#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "src/generate/row_source.hpp"

namespace atl {

/// Sees the codes of every row once, in order.
using RowVisitor = std::function<void(std::span<const std::uint32_t> codes)>;

/// Whether tables can be written under that name: .csv or .h5. @throws UsageError
void check_table_name(const std::string& path);

/// Writes the first `rows` rows as CSV (header, a missing value is an empty field) or as a dataset
/// file (exact dictionaries; constant attributes are left out and listed as such, as an import
/// does). Rows are streamed; the file exists only once complete.
/// @throws UsageError, CannotCreate, IoError
void write_table(const RowSource& source, std::uint64_t rows, const std::string& path,
                 const RowVisitor& visit);

}  // namespace atl
