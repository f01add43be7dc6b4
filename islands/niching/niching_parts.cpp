#include "islands/niching/niching_parts.hpp"

#include "islands/niching/niching.hpp"
#include "src/results/steering.hpp"

namespace atl {
namespace {

constexpr AlgorithmKey niching_keys[] = {
    max_consequent_key,
    {"fit_rows", KeyKind::rows, "N", "rows of the rest of a rule on which changes are compared"},
    {"final_fit_rows", KeyKind::rows, "N", "rows on which the best two are fitted again"}};

std::vector<std::unique_ptr<Algorithm>> make_niching(const Experiment&,
                                                     std::span<const IslandAim> islands,
                                                     Resident& resident) {
  std::vector<std::unique_ptr<Algorithm>> made;
  for (const IslandAim& aim : islands) {
    made.push_back(std::make_unique<Niching>(*aim.experiment, *aim.grammar, resident));
  }
  return made;
}

}  // namespace

AlgorithmParts niching_parts() {
  return {niching_keys, {.associations = true, .means = true, .names_buckets = true}, make_niching};
}

}  // namespace atl
