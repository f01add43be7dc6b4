#include "islands/algorithm.hpp"

#include "islands/g3parm.hpp"
#include "islands/pareto.hpp"
#include "src/core/error.hpp"

namespace atl {

std::unique_ptr<Algorithm> make_algorithm(const Experiment& experiment, const BoundGrammar& grammar,
                                          const Dataset& dataset) {
  if (experiment.preset == "pareto") return std::make_unique<Pareto>(experiment, grammar, dataset);
  if (experiment.preset == "g3parm") return std::make_unique<G3parm>(experiment, grammar);
  throw UsageError("unknown preset '" + experiment.preset + "': expected pareto or g3parm");
}

}  // namespace atl
