// Figures of the level-wise search beside Tang and Wang 2014, "Design and implementation of Apriori
// on GPU".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/bench/table.hpp"

namespace atl {

/// The share of time that each improvement saves, as the paper's text says it: the curves of
/// Figures 7 and 8 have no numbers. None: "slower".
struct AprioriFigures {
  std::uint32_t transactions;
  std::optional<double> reduction;  ///< Figure 7: the flagged reduction
  std::optional<double> generator;  ///< Figure 8: the generator without idle blocks
};
inline constexpr std::array<AprioriFigures, 3> apriori_figures = {
    {{1000, std::nullopt, 0.38}, {5000, 0.201, 0.32}, {10000, 0.161, 0.253}}};

/// Seconds of a step of the paper's search in its three variants.
struct AprioriStep {
  double loop = 0;  ///< on one core
  std::optional<double> plain,
      improved;  ///< of the kernels, medians; only with a GPU
};

/// Adds its seconds, and the share of time that the improvement saves.
void add_step(Record& record, const AprioriStep& step);
/// The paper's words on Figure 7 or 8, as a record.
Record published_saving(const AprioriFigures& paper, int figure);
/// Figures 7 and 8, and ours beside them.
std::vector<Table> apriori_tables();

}  // namespace atl
