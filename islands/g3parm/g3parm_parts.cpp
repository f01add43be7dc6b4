#include "islands/g3parm/g3parm_parts.hpp"

#include "islands/g3parm/g3parm.hpp"
#include "islands/g3parm/g3parm_settings.hpp"

namespace atl {
namespace {

constexpr bool own_for_islands = true;
constexpr AlgorithmKey g3parm_keys[] = {
    {"crossover", KeyKind::share, "P", "probability of crossover", own_for_islands},
    {"mutation", KeyKind::share, "P", "probability of mutation", own_for_islands},
    {"pool", KeyKind::individuals, "N", "good rules kept as parents"}};

std::vector<std::unique_ptr<Algorithm>> make_g3parm(const Experiment&,
                                                    std::span<const IslandAim> islands, Resident&) {
  std::vector<std::unique_ptr<Algorithm>> made;
  for (const IslandAim& aim : islands) {
    made.push_back(std::make_unique<G3parm>(*aim.experiment, *aim.grammar));
  }
  return made;
}

}  // namespace

G3parmSettings::G3parmSettings(const Experiment& experiment)
    : crossover(experiment.settings.at(g3parm_keys[0].name)),
      mutation(experiment.settings.at(g3parm_keys[1].name)),
      pool(static_cast<std::uint32_t>(experiment.settings.at(g3parm_keys[2].name))) {}

AlgorithmParts g3parm_parts() {
  return {g3parm_keys, {}, make_g3parm};
}

}  // namespace atl
