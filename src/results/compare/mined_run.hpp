#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/rules/rule_record.hpp"

namespace atl {

/// A run that was mined.
struct MinedRun {
  std::string path;  ///< absolute, of its folder
  std::string name;  ///< as little of the end of the path as tells the runs apart
  Experiment experiment;
  std::string state;  ///< finished, stopped or running
  std::uint32_t generation = 0;
  double seconds = 0;
  std::optional<std::uint64_t> rules;  ///< that it has written itself
  std::uint64_t collected = 0;         ///< of the rules written together, those that it found
  std::map<std::string, double> best;  ///< in its archive, of each measure that it maximizes
  std::vector<RuleRecord> archive;     ///< generation and island are the run's
};

}  // namespace atl
