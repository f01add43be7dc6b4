#include "src/core/text/text_table.hpp"

#include <algorithm>

#include "src/core/text/wrapped_text.hpp"

namespace atl {

std::string padded(const std::string& text, std::size_t width, CellSide side) {
  const std::string blanks(width - std::min(width, characters(text)), ' ');
  return side == CellSide::right ? blanks + text : text + blanks;
}

std::string text_table(const std::vector<std::vector<std::string>>& rows,
                       const std::vector<CellSide>& sides, std::size_t width) {
  constexpr std::size_t gap = 2;
  std::vector<std::size_t> widths(sides.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], characters(row[i]));
  }
  std::string text;
  for (std::size_t first = 1, end = 1; first < sides.size() || first == 1; first = end) {
    std::size_t taken = widths[0];
    for (end = first; end < sides.size(); ++end) {
      taken += gap + widths[end];
      if (width > 0 && taken > width && end > first) break;
    }
    if (first > 1) text += '\n';
    for (const auto& row : rows) {
      std::string line = padded(row[0], widths[0], sides[0]);
      for (std::size_t i = first; i < end; ++i)
        line.append(gap, ' ').append(padded(row[i], widths[i], sides[i]));
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    if (end == first) break;
  }
  return text;
}

}  // namespace atl
