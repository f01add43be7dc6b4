// The steps of the search for probabilistic itemsets, on given candidates: by a support meter, and
// as Kozawa 2016 does them on a GPU.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"
#include "src/exhaustive/uncertain/uncertain_columns.hpp"

namespace atl {

/// All single items, ranks 0 to items - 1.
RankedSets single_items(std::uint32_t items);

/// What a meter takes for the candidates of all levels, and what it finds.
struct MeteredLevels {
  double sum_seconds = 0;   ///< of sets of two items and more
  double tail_seconds = 0;  ///< of the distributions of sets that are not pruned
  struct Level {
    std::vector<std::uint32_t> open;  ///< candidates that are not pruned
    std::vector<double> tails;        ///< [open] that the support is at least the least one
  };
  std::vector<Level> levels;
  std::map<std::uint32_t, std::uint64_t> ranks;  ///< open candidates of each rank
};

/// Sums all candidates up, prunes as the thesis does, and finds the tails of the others, once to
/// warm up and then so many times, of which the best counts. Blocking. @throws DeviceFailed
MeteredLevels meter_levels(SupportMeter& meter, const std::vector<RankedSets>& levels,
                           const cuda::ThesisLeast& least, std::uint64_t repeats);

/// What the thesis' pipeline takes for the candidates of all levels.
struct ThesisLevels {
  cuda::ThesisSeconds singles, longer;  ///< of one item; of all others
  std::vector<cuda::ThesisSupports> levels;

  cuda::ThesisSeconds all() const noexcept;
};

/// Blocking. @throws as ThesisPipeline::extract()
ThesisLevels thesis_levels(cuda::ThesisPipeline& pipeline, const std::vector<RankedSets>& levels,
                           const cuda::ThesisLeast& least, const cuda::ThesisOptions& options);

/// @throws InternalError if probabilities differ by more than 1e-9
void expect_same_tails(const ThesisLevels& thesis, const MeteredLevels& metered);

}  // namespace atl
