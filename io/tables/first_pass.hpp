#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/tables/columns/column_plan.hpp"
#include "io/tables/columns/inference.hpp"
#include "io/tables/input_tables.hpp"

namespace atl::io {

struct FirstPass {
  std::uint64_t rows = 0;
  std::vector<Conclusion> columns;  ///< in the order of the table
  std::vector<Hash128> hashes;      ///< of the text of each input
};

/// What of the memory limit is left for values: each column takes some whatever it holds.
/// @return bytes, at least a quarter of the limit
/// @throws BadData with the limit that it takes, where that is higher
std::uint64_t memory_for_values(const InputTables& tables, const ImportOptions& options);

/// Reads all inputs once and decides what each column is. Dictionaries that together exceed half
/// of the memory for values go to a temporary file, the largest first. (What must fit in memory
/// besides: 40 bytes for each distinct value of one numeric column while it is sorted, and the
/// dictionaries of the columns that stay.)
/// @throws BadCell; BadData if there is no row or there are too many columns; UsageError, IoError
FirstPass run_first_pass(const InputTables& tables, const ImportOptions& options,
                         const Report& report);

}  // namespace atl::io
