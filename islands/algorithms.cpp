#include "islands/algorithms.hpp"

#include "islands/g3parm/g3parm.hpp"
#include "islands/niching/pareto.hpp"
#include "src/core/error.hpp"
#include "src/results/steering.hpp"

namespace atl {

std::vector<std::unique_ptr<Algorithm>> make_algorithms(const Experiment& experiment,
                                                        std::span<const IslandAim> islands,
                                                        const Dataset& dataset) {
  std::vector<std::unique_ptr<Algorithm>> made;
  if (experiment.preset == "pareto") {
    const auto samples = std::make_shared<const RowSamples>(dataset);
    // On all islands, as immigrants bring their counts along.
    const bool widens = needs_widenings(experiment);
    for (const IslandAim& aim : islands) {
      made.push_back(std::make_unique<Pareto>(*aim.experiment, *aim.grammar, dataset.attributes(),
                                              samples, widens));
    }
    return made;
  }
  if (experiment.preset == "g3parm") {
    for (const IslandAim& aim : islands) {
      made.push_back(std::make_unique<G3parm>(*aim.experiment, *aim.grammar));
    }
    return made;
  }
  throw UsageError("unknown preset '" + experiment.preset + "': expected pareto or g3parm");
}

}  // namespace atl
