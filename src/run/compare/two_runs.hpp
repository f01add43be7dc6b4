// Which rules two runs have both found, and which only one.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "io/results/overlap_report.hpp"
#include "src/core/report.hpp"
#include "src/run/data/text_form.hpp"

namespace atl {

/// Data to count the rules of both on.
struct CommonData {
  std::string path;
  TextForm form;  ///< as it was typed
};

/// Compares the first `top` lines of each list with all rules that the other run has written.
/// @param data  none: the data of the runs, if both have the same and they are at hand; else rules
///              are compared by their text, which a line tells
/// @param show  called with the result
/// @throws UsageError for runs whose rules are not of one kind; BadData, MissingInput
void compare_two_runs(const std::array<std::string, 2>& folders,
                      const std::optional<CommonData>& data, std::size_t top, const Report& report,
                      const std::function<void(const io::OverlapReport&)>& show);

}  // namespace atl
