// The report on two runs: which rules both have found, and which only one.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "src/measures/measure.hpp"
#include "src/results/compare/overlap.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl::io {

/// One of the two.
struct OverlappingRun {
  std::string name;
  std::vector<WrittenRule> rules;         ///< lines, best first, then variants and definitions
  std::size_t lines = 0;                  ///< that are compared
  std::vector<double> values;             ///< [rules] of the measure
  std::vector<Counterpart> counterparts;  ///< [rules] among the other's rules
  std::optional<double> figure = {};      ///< of merit, where it is known
};

struct OverlapReport {
  Measure measure;
  std::string data;  ///< on whose rows rules were counted; empty: they are compared by their text
  std::array<OverlappingRun, 2> runs;
};

/// Figures of both, counts of what they share, then the first rules that only one has.
std::string overlap_table(const OverlapReport& report);
/// A line for each rule of either run that is compared.
std::string overlap_csv(const OverlapReport& report);
std::string overlap_json(const OverlapReport& report);

}  // namespace atl::io
