#include "islands/algorithms.hpp"

#include <cassert>

#include "islands/algorithm_defaults.hpp"
#include "islands/g3parm/g3parm_parts.hpp"
#include "islands/niching/niching_parts.hpp"
#include "islands/random_search/random_search.hpp"

namespace atl {
namespace {

struct Registered {
  std::string_view name;
  std::string_view folder;
  std::vector<std::string_view> former_names;
  AlgorithmParts parts;
};

/// A line for each algorithm.
const std::vector<Registered>& registered() {
  static const std::vector<Registered> table = {
      {"niching", "niching", {"pareto"}, niching_parts()},
      {"g3parm", "g3parm", {}, g3parm_parts()},
      {"random-search", "random_search", {}, random_search_parts()},
  };
  return table;
}

std::vector<AlgorithmDescription> describe() {
  std::vector<AlgorithmDescription> all;
  for (const Registered& one : registered()) {
    all.push_back({one.name, one.former_names, algorithm_defaults(one.folder), one.parts.keys,
                   one.parts.traits});
  }
  return all;
}

}  // namespace

AlgorithmTable algorithms() {
  static const std::vector<AlgorithmDescription> all = describe();
  return all;
}

std::vector<std::unique_ptr<Algorithm>> make_algorithms(const Experiment& experiment,
                                                        std::span<const IslandAim> islands,
                                                        Resident& resident) {
  const auto number = experiment.algorithm - algorithms().data();
  assert(number >= 0 && static_cast<std::size_t>(number) < registered().size());
  return registered()[static_cast<std::size_t>(number)].parts.make(experiment, islands, resident);
}

}  // namespace atl
