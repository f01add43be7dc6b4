#include "src/exhaustive/rules/item_aim.hpp"

#include <algorithm>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/grammar/aim.hpp"
#include "src/grammar/target_syntax.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

bool ItemAim::is_only(std::uint32_t attribute) const noexcept {
  return !open() && std::all_of(attributes.begin(), attributes.end(), [&](std::uint32_t a) {
    return a == attribute;
  }) && std::all_of(comparisons.begin(), comparisons.end(), [&](const Comparison& c) {
    return c.attribute == attribute;
  });
}

std::vector<std::string> enumerated_targets(const std::string& option) {
  std::vector<std::string> targets = split_targets(option);
  if (targets.front() == no_target) return {};
  for (std::string& target : targets) {
    expect_target_syntax(target);
    if (parse_numeric_target(target)) {
      throw UsageError(in_quotes(target) + " is a statistic, expected labels or comparisons");
    }
    if (is_name_alone(target)) {
      target = quoted_if_needed(target_attribute(target).value_or(""), relation_characters) + "=*";
    }
  }
  return targets;
}

std::vector<std::string> names_of_targets(const std::vector<std::string>& targets) {
  std::vector<std::string> names;
  for (const std::string& target : targets) names.push_back(target_attribute(target).value_or(""));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

ItemAim bind_targets(const std::vector<std::string>& targets,
                     std::span<const Attribute> attributes) {
  Aim aim;
  aim.target = targets;
  aim.validate();
  BoundAim bound = bind_aim(aim, attributes);
  ItemAim items{std::move(bound.target_attributes), std::move(bound.targets)};
  std::sort(items.comparisons.begin(), items.comparisons.end());
  const auto last = std::unique(items.comparisons.begin(), items.comparisons.end());
  items.comparisons.erase(last, items.comparisons.end());
  return items;
}

}  // namespace atl
