// Tables for people whose cells are short.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace atl {

enum class CellSide : bool { left, right };

/// Columns side by side, two blanks between. Where they are wider than `width` characters, as many
/// as fit come first, the others in further blocks below, each after the first column and below an
/// empty line.
/// @param rows   the first has the headings; all are equally long
/// @param sides  of each column
/// @param width  0: nothing is too wide
std::string text_table(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<CellSide>& sides, std::size_t width);

/// The text with blanks before or behind it, up to a number of characters.
std::string padded(const std::string& text, std::size_t width, CellSide side);

}  // namespace atl
