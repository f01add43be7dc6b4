// The runs that are collected, as their files tell.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/run/run_folder.hpp"
#include "src/config/experiment.hpp"
#include "src/core/hash.hpp"
#include "src/core/report.hpp"
#include "src/data/attribute.hpp"
#include "src/results/compare/mined_run.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A folder that was given: of a run that was mined, or of one that was itself collected.
struct Source {
  std::string folder;  ///< as given
  io::RunPaths paths;
  RunConfiguration configuration;
  Fingerprint dataset;
  std::vector<MinedRun> runs;  ///< one, or those that it was collected from; archives empty
};

/// @param folders  none empty
/// @throws MissingInput for what is no run; BadData for one without a sound checkpoint, or whose
///         configuration is another than its checkpoints'
std::vector<Source> read_sources(const std::vector<std::string>& folders, const Report& report);

/// @throws UsageError or BadData naming two runs whose rules cannot stand side by side, and why
void expect_agreement(const std::vector<Source>& sources);

/// Reads the archives of all runs. A run that was given twice, by itself or within others, counts
/// once, as it is furthest. Named and by seed, then path: the order of the folders does not matter.
/// @param attributes  as the search sees them, of the data of all
std::vector<MinedRun> read_runs(const std::vector<Source>& sources,
                                std::span<const Attribute> attributes, const Report& report);

}  // namespace atl
