// What an import tells the user of the columns it found.
#pragma once

#include <string>
#include <vector>

#include "io/tables/columns/inference.hpp"
#include "io/tables/input_tables.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// "'a' (constant), 'b' (all missing)" of the columns left out by request or not.
std::string ignored_columns(const std::vector<Conclusion>& columns, bool by_request);

/// Says what was assumed of how values are written, and warns of what may be wrong with that.
void report_values(const std::vector<Conclusion>& columns, const Report& report);

/// report_values(). Warns of columns that were left out without being asked for, of numbers taken
/// as labels, and if but one column stays.
/// @param options  what the names of options begin with (ImportOptions::option_prefix)
void report_columns(const std::vector<Conclusion>& columns, const InputTables& tables,
                    const std::string& options, const Report& report);

}  // namespace atl::io
