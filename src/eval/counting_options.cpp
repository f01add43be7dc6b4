#include "src/eval/counting_options.hpp"

#include <algorithm>

namespace atl {

CountingOptions counting_options(const Experiment& experiment,
                                 std::span<const Attribute> attributes) {
  CountingOptions options;
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

Expression beyond_mean(std::span<const Attribute> attributes,
                       const std::optional<MeanTarget>& target) {
  if (!target) return {};
  const Attribute& attribute = attributes[target->attribute];
  double sum = 0;
  double rows = 0;
  for (std::uint32_t code = 0; code < attribute.distinct(); ++code) {
    sum += attribute.low[code] * static_cast<double>(attribute.counts[code]);
    rows += static_cast<double>(attribute.counts[code]);
  }
  const auto above = static_cast<std::uint32_t>(
      std::upper_bound(attribute.low.begin() + 1, attribute.low.end() - 1, sum / rows) -
      attribute.low.begin());
  if (target->low) return Expression::of({target->attribute, 0, above - 1, false});
  return Expression::of({target->attribute, above, attribute.distinct() - 1, false});
}

}  // namespace atl
