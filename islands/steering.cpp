#include "islands/steering.hpp"

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

std::vector<Measure> steering_measures(const Experiment& experiment) {
  std::vector<Measure> measures;
  for (const std::string& name : experiment.maximize) {
    measures.push_back(steering_measure(name, experiment));
  }
  return measures;
}

}  // namespace atl
