#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/column_plan.hpp"
#include "io/inference.hpp"
#include "io/input_tables.hpp"

namespace atl::io {

struct FirstPass {
  std::uint64_t rows = 0;
  std::vector<Conclusion> columns;  ///< in the order of the table
};

/// Reads all inputs once and decides what each column is. Dictionaries that together exceed half
/// of the memory limit go to a temporary file, the largest first. (What must fit in memory besides:
/// 40 bytes for each distinct value of one numeric column while it is sorted, and the dictionaries
/// of the columns that stay.)
/// @throws BadCell; BadData if there is no row; UsageError, IoError
FirstPass run_first_pass(const InputTables& tables, const ImportOptions& options,
                         const Report& report);

}  // namespace atl::io
