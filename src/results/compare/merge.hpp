// One run of several.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/grammar/grammar.hpp"
#include "src/results/archive/archive.hpp"
#include "src/results/compare/mined_run.hpp"
#include "src/results/compare/run_origins.hpp"

namespace atl {

/// The settings that the rules of all runs meet: the least of the thresholds on support and
/// confidence, the greatest of the others and of `top`, bounds exact if one run's are; what else
/// differs is the first run's.
/// @param rows  that are searched
Experiment joint_experiment(const std::vector<MinedRun>& runs, std::uint64_t rows);

/// The settings in which runs differ, as the first has them.
std::vector<std::string> differing_settings(const std::vector<MinedRun>& runs);

/// Numbers the islands of all runs in a row.
RunOrigins origins_of(const std::vector<MinedRun>& runs);

/// The grammars of all islands, numbered so, as bind_grammars() has them of each run.
std::map<std::uint32_t, BoundGrammar> joint_grammars(const std::vector<MinedRun>& runs,
                                                     std::span<const Attribute> attributes);

/// All rules of the runs' archives, islands numbered in a row. Of a rule that several have found,
/// the earliest find stays, then that of the first run. Associative.
Archive joint_archive(const std::vector<MinedRun>& runs, const Experiment& joint,
                      std::span<const Attribute> attributes);

}  // namespace atl
