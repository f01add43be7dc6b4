#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "io/tables/columns/schema.hpp"
#include "src/generate/block_stream.hpp"
#include "src/generate/lines.hpp"

namespace atl {

/// Sees the codes of each row that this rank makes, once and in any order. The worker's number is
/// below the threads of this rank; two calls at once have different ones. May be empty.
using RowVisitor = std::function<void(std::span<const std::uint32_t> codes, unsigned worker)>;

/// Checks that tables can be written under that name: .csv or .h5. @throws UsageError
void check_table_name(const std::string& path);

/// The schema by which the import reads the rows' CSV as what they are.
io::Schema schema_of(const RowSource& source);

/// The rows as CSV: header, a missing value is an empty field.
/// @param source  outlives it
Lines table_lines(const RowSource& source, RowVisitor visit = {});

/// Writes the first `rows` rows as a dataset file: exact dictionaries; constant attributes are left
/// out and listed as such, as an import does. The same bytes for any number of ranks and threads.
/// Rows are streamed; rank 0 writes the file, which exists only once complete. Collective.
/// @throws UsageError, CannotCreate, IoError
void write_dataset(const RowSource& source, std::uint64_t rows, const std::string& path,
                   const RowVisitor& visit, const Makers& makers);

}  // namespace atl
