// How fast decision lists are scored, beside Cano, Zafra and Ventura 2014.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cuda/published/pittsburgh_pipeline.hpp"
#include "src/bench/benchmark.hpp"
#include "src/bench/published.hpp"
#include "src/bench/stopwatch.hpp"
#include "src/bench/table.hpp"
#include "src/data/attribute.hpp"
#include "src/rules/rule_set.hpp"

namespace atl {

enum class RuleSetShape {
  conjunctions,
  grammar,  ///< AND, OR and NOT as the paper's grammar has them (Figure 1)
};
const char* to_string(RuleSetShape shape) noexcept;

/// Decision lists to score: the same for a table and a size on every machine
/// (docs/reference/bench.md states how they are drawn).
struct RuleSetWorkload {
  std::uint32_t lists = 100;
  /// Symbols of all antecedents of a list, connectives and relations included, about.
  double symbols = 0;
  RuleSetShape shape = RuleSetShape::conjunctions;
};

/// Lists with as many rules as there are classes, one for each; the default class is the first of
/// the most frequent ones. One-sided comparisons on ordered attributes, equalities and their
/// complements on others.
/// @param attributes  with counts; at least one beside the class
std::vector<RuleSet> workload_lists(std::span<const Attribute> attributes,
                                    std::uint32_t class_attribute, const RuleSetWorkload& workload);

/// All data sets and populations of Tables 3 and 4: poker hands are generated, others read if they
/// are there. Lists with OR and NOT where the population is 100.
/// @throws UsageError on the reference device, which would take hours
void run_pittsburgh(const BenchState& state);

// Records of it. Times go from lists on the host to counts there, rows in place.

/// Begins the record of a population with what is known before it is scored.
/// @param attributes  without the class  @param classes  as many rules has each list
Record population_record(const char* data, std::uint64_t rows, std::uint32_t attributes,
                         std::uint32_t classes, std::uint32_t population, RuleSetShape shape,
                         const std::optional<cuda::VisibleDevice>& device);
/// @param record  here and below with its symbols, of all lists
void add_scoring(Record& record, const Timing& fused);
void add_stages(Record& record, const RuleSetStageSeconds& stages);
/// @param watts  that the GPU takes meanwhile, by its own reading
void add_watts(Record& record, double watts);
void add_published_pipeline(Record& record, const Timing& wall,
                            const cuda::PittsburghSeconds& stages);
void add_paper(Record& record, const PittsburghSize& paper);
/// A line of Table 1: the published coverage kernel in blocks of so many threads.
Record block_record(const cuda::PittsburghOccupancy& occupancy, double coverage_seconds);

/// The lines of Tables 3 and 4: ours, the published pipeline's on the same device, the paper's.
/// Then Tables 1 and 5, Figures 5 and 6.
std::vector<Table> pittsburgh_tables();

}  // namespace atl
