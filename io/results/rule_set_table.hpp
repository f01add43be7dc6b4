// A decision list for people: its text, and below it what its rules make of rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/results/written/list_figures.hpp"

namespace atl::io {

/// Figures of the rules on some rows.
struct ListFigures {
  std::string rows;                      ///< which: "training"
  std::vector<ListRuleFigures> figures;  ///< [rules + 1]
};

/// A line for each rule: rows that it covers, decides, and that are decided so far, each with the
/// share that is right. At most 80 columns where counts have at most 8 digits.
std::string list_figures_table(std::span<const ListFigures> figures);

/// The front of size against accuracy, a line for each list.
std::string front_table(const ListFront& front);

}  // namespace atl::io
