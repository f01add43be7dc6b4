#include "src/grammar/absences.hpp"

#include <fmt/format.h>

#include "src/core/error.hpp"
#include "src/data/presence.hpp"
#include "src/data/transactions/item_attribute.hpp"

namespace atl {

bool derives_absences(const Experiment& experiment, std::span<const Attribute> attributes) {
  if (are_items(attributes)) {
    if (experiment.absences.value_or(false)) {
      throw UsageError("--absences: rules on transactions only say which items are there");
    }
    return false;
  }
  return experiment.absences.value_or(!summarise_presence(attributes).lists_items());
}

void announce_absences(const Experiment& experiment, std::span<const Attribute> attributes,
                       const Report& report) {
  if (are_items(attributes) || derives_absences(experiment, attributes)) return;
  const PresenceSummary summary = summarise_presence(attributes);
  if (summary.attributes == 0) {
    report(
        Severity::warning,
        "--no-absences changes nothing: no attribute has just the values 0 and 1, no and yes, or "
        "the like");
  } else if (!experiment.absences) {
    report(
        Severity::info,
        fmt::format("{} of {} attributes are items, there on {:.2g}% of the rows on average: no "
                    "rule says that one is absent (--absences: rules may)",
                    summary.attributes, summary.varied,
                    100 * static_cast<double>(summary.there) / static_cast<double>(summary.rows)));
  }
}

}  // namespace atl
