#include "islands/algorithms.hpp"

#include "islands/g3parm/g3parm.hpp"
#include "islands/niching/niching.hpp"
#include "src/core/error.hpp"
#include "src/results/steering.hpp"

namespace atl {

std::vector<std::unique_ptr<Algorithm>> make_algorithms(const Experiment& experiment,
                                                        std::span<const IslandAim> islands,
                                                        const Dataset& dataset) {
  std::vector<std::unique_ptr<Algorithm>> made;
  if (experiment.preset == "niching") {
    const auto samples = std::make_shared<const RowSamples>(dataset);
    // On all islands, as immigrants bring their counts along.
    const bool generalises = needs_generalisations(experiment);
    for (const IslandAim& aim : islands) {
      made.push_back(std::make_unique<Niching>(*aim.experiment, *aim.grammar, dataset.attributes(),
                                               samples, generalises));
    }
    return made;
  }
  if (experiment.preset == "g3parm") {
    for (const IslandAim& aim : islands) {
      made.push_back(std::make_unique<G3parm>(*aim.experiment, *aim.grammar));
    }
    return made;
  }
  throw UsageError("unknown preset '" + experiment.preset + "': expected niching or g3parm");
}

}  // namespace atl
