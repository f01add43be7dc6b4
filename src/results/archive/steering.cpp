#include "src/results/archive/steering.hpp"

#include <algorithm>

#include "src/core/error.hpp"

namespace atl {

Measure steering_measure(const std::string& name, const Experiment& experiment) {
  const Measure measure = measure_named(name);
  expect_applies(info(measure), experiment.aim.concludes_mean());
  if (!info(measure).steers) {
    throw UsageError("measure '" + name +
                     "' cannot steer a search: it needs logarithms, or less of it is better");
  }
  return measure;
}

namespace {

std::vector<Measure> steering_measures(const std::vector<std::string>& names,
                                       const Experiment& experiment) {
  std::vector<Measure> measures;
  for (const std::string& name : names) measures.push_back(steering_measure(name, experiment));
  return measures;
}

}  // namespace

std::vector<Measure> steering_measures(const Experiment& experiment) {
  return steering_measures(experiment.maximize, experiment);
}

std::vector<Measure> all_steering_measures(const Experiment& experiment) {
  return steering_measures(experiment.all_maximized(), experiment);
}

bool needs_generalisations(const Experiment& experiment) {
  const auto measures = all_steering_measures(experiment);
  return steering_measure(experiment.archive_by, experiment) == Measure::contrast ||
         std::find(measures.begin(), measures.end(), Measure::contrast) != measures.end();
}

}  // namespace atl
