#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/tables/columns/column_plan.hpp"
#include "io/tables/first_pass.hpp"
#include "io/tables/input_tables.hpp"

namespace atl::io {

/// Finds groups of at least three columns. A column of a group has no missing values and two
/// values, 0 and 1, or false and true, f and t, no and yes, n and y, upper or lower case; it is no
/// target. The names have a common beginning that ends in one of _ = . : - / or a blank, or before
/// a number, and is the name of the attribute, without those at its end. Of groups that share
/// columns, the one with the longer beginning is taken. Where names and numbers of rows fit, the
/// inputs are read once more, to see that in every row just one column says yes. Says of each group
/// whether it is one.
/// @throws as a pass over the inputs
std::vector<OneHotGroup> find_one_hot_groups(const FirstPass& pass, const InputTables& tables,
                                             const Report& report);

/// The groups of folded_before(): their columns become codes of yes and no.
/// @throws BadData if they are not one-hot; as a pass over the inputs
std::vector<OneHotGroup> fold_again(FirstPass& pass, const InputTables& tables,
                                    const ImportOptions& options);

/// The attribute that stands for a group.
Attribute folded(const OneHotGroup& group, const FirstPass& pass);

/// A column's place in the table and its codes.
struct PlacedCoder {
  std::size_t place;
  ColumnCoder coder;
};

/// Codes of block rows [first, first + count) by a group's columns, in the order of its labels; of
/// one column alone, its own codes.
/// @throws IoError if a row is not as in the first pass
void code_columns(const std::vector<PlacedCoder>& columns, const RowBlock& block,
                  std::size_t block_columns, std::size_t first, std::size_t count,
                  std::uint32_t* out, const std::string& file);

}  // namespace atl::io
