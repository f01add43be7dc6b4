#include "islands/niching/niching_parts.hpp"

#include "islands/niching/niching.hpp"
#include "src/results/archive/steering.hpp"

namespace atl {
namespace {

constexpr AlgorithmKey niching_keys[] = {
    max_consequent_key,
    {.name = "fit_rows",
     .kind = KeyKind::rows,
     .placeholder = "N",
     .help = "rows to which all changes of a rule are fitted, 0: all of --final-fit-rows",
     .formerly = 512},
    {.name = "final_fit_rows",
     .kind = KeyKind::rows,
     .placeholder = "N",
     .help = "rows to which the best two changes are fitted again, 0: every row",
     .formerly = 8192}};

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
  return {.keys = niching_keys,
          .traits = {.associations = true, .means = true, .names_buckets = true},
          .make = make_niching,
          .rows_looked_at = Niching::rows_looked_at};
}

}  // namespace atl
