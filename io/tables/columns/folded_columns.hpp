// One-hot columns of a table that an import before has folded, found again by their names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/import_options.hpp"

namespace atl::io {

/// What may stand between the name of the attribute and a label in the name of a column.
inline constexpr std::string_view one_hot_separators = "_=.:-/ ";

/// Columns of yes and no, just one of which says yes in every row, to be one nominal attribute.
struct OneHotGroup {
  std::string name;                  ///< of the attribute: what the columns' names begin with
  std::vector<std::string> labels;   ///< how they go on; ascending by bytes
  std::vector<std::size_t> columns;  ///< [labels] in the table
};

/// For each required column of labels that the table does not have: the columns whose names begin
/// with its name and a separator, or go on with a number, if there are two or more.
std::vector<OneHotGroup> folded_before(const std::vector<std::string>& names,
                                       const std::vector<NeededColumn>& needed);

}  // namespace atl::io
