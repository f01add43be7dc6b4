#include "islands/algorithm.hpp"

#include "islands/g3parm.hpp"
#include "islands/pareto.hpp"
#include "src/core/error.hpp"

namespace atl {

std::vector<std::unique_ptr<Algorithm>> make_algorithms(const Experiment& experiment,
                                                        const BoundGrammar& grammar,
                                                        const Dataset& dataset, std::size_t count) {
  std::vector<std::unique_ptr<Algorithm>> made;
  if (experiment.preset == "pareto") {
    const auto samples = std::make_shared<const RowSamples>(dataset);
    while (made.size() < count) {
      made.push_back(std::make_unique<Pareto>(experiment, grammar, dataset.attributes(), samples));
    }
    return made;
  }
  if (experiment.preset == "g3parm") {
    while (made.size() < count) made.push_back(std::make_unique<G3parm>(experiment, grammar));
    return made;
  }
  throw UsageError("unknown preset '" + experiment.preset + "': expected pareto or g3parm");
}

}  // namespace atl
