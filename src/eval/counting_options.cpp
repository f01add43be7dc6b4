#include "src/eval/counting_options.hpp"

#include <algorithm>

namespace atl {

EvaluateOptions counting_options(const Experiment& experiment,
                                 std::span<const Attribute> attributes) {
  EvaluateOptions options;
  options.exclude_missing_consequent = experiment.missing_consequent == MissingConsequent::exclude;
  if (!experiment.aim.concludes_mean()) return options;
  const auto target = experiment.aim.numeric_target();
  const auto found = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) {
    return a.name == target->attribute && a.kind == AttributeKind::numeric;
  });
  if (found == attributes.end()) return options;
  options.mean = MeanTarget{.attribute = static_cast<std::uint32_t>(found - attributes.begin()),
                            .low = target->low};
  return options;
}

}  // namespace atl
