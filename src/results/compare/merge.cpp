#include "src/results/compare/merge.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "src/config/experiment_settings.hpp"
#include "src/core/error.hpp"
#include "src/grammar/aim.hpp"
#include "src/results/archive/archive.hpp"
#include "src/results/archive/steering.hpp"

namespace atl {

Experiment joint_experiment(const std::vector<MinedRun>& runs, std::uint64_t rows) {
  Experiment joint = runs.front().experiment;
  joint.repeat = Repeats::none;
  for (const MinedRun& run : runs) {
    const Experiment& one = run.experiment;
    if (one.min_support.minimum_count(rows) < joint.min_support.minimum_count(rows)) {
      joint.min_support = one.min_support;
    }
    if (joint.algorithm->traits.associations && !one.algorithm->traits.associations) {
      joint.algorithm = one.algorithm;  // which asks for less of a rule
      joint.settings = one.settings;
    }
    if (one.bounds == Bounds::exact) joint.bounds = one.bounds;
    if (one.definitions == DefinitionChoice::include) joint.definitions = one.definitions;
    joint.min_confidence = std::min(joint.min_confidence, one.min_confidence);
    const double most = std::max(joint.max_consequent(), one.max_consequent());
    if (joint.settings.find(max_consequent_key.name)) joint.set(max_consequent_key.name, most);
    joint.max_length = std::max(joint.max_length, one.max_length);
    joint.max_similarity = std::max(joint.max_similarity, one.max_similarity);
    joint.top = std::max(joint.top, one.top);
  }
  return joint;
}

RunOrigins origins_of(const std::vector<MinedRun>& runs) {
  RunOrigins origins;
  std::uint64_t first = 0;
  for (const MinedRun& run : runs) {
    if (first > std::numeric_limits<std::uint32_t>::max()) {
      throw UsageError("the runs have too many islands in all");
    }
    origins.names.push_back(run.name);
    origins.first_island.push_back(static_cast<std::uint32_t>(first));
    first += run.experiment.islands;
  }
  return origins;
}

std::map<std::uint32_t, BoundGrammar> joint_grammars(const std::vector<MinedRun>& runs,
                                                     std::span<const Attribute> attributes) {
  const RunOrigins origins = origins_of(runs);
  std::map<std::uint32_t, BoundGrammar> joint;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto own = bind_grammars(runs[i].experiment, attributes, runs[i].name + ", grammar");
    for (auto& [island, grammar] : own) {
      joint.try_emplace(origins.first_island[i] + island, std::move(grammar));
    }
  }
  return joint;
}

Archive joint_archive(const std::vector<MinedRun>& runs, const Experiment& joint,
                      std::span<const Attribute> attributes) {
  const RunOrigins origins = origins_of(runs);
  std::size_t rules = 0;
  for (const MinedRun& run : runs) rules += run.archive.size();
  // The archive has room for all: what is left out here would be missing where more runs are added.
  Archive archive(steering_measure(joint.archive_by, joint), std::max<std::size_t>(rules, 1));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (RuleRecord record : runs[i].archive) {
      record.island += origins.first_island[i];
      archive.offer(record, niche(record, attributes));
    }
  }
  return archive;
}

std::vector<std::string> differing_settings(const std::vector<MinedRun>& runs) {
  std::vector<std::string> keys;
  std::vector<std::vector<ExperimentSetting>> all;
  for (const MinedRun& run : runs) all.push_back(settings_of(run.experiment));
  for (const auto& settings : all) {
    for (const ExperimentSetting& setting : settings) {
      const auto differs = [&](const auto& others) {
        return value_of(others, setting.key) != setting.value;
      };
      const bool listed = std::find(keys.begin(), keys.end(), setting.key) != keys.end();
      if (!listed && std::any_of(all.begin(), all.end(), differs)) keys.push_back(setting.key);
    }
  }
  return keys;
}

}  // namespace atl
