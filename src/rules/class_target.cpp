#include "src/rules/class_target.hpp"

#include <algorithm>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

std::optional<std::string> any_value_of(const std::string& target) {
  const std::string source = "--target";
  try {
    Scanner scanner(target, source, Scanner::Comments::none);
    std::string name = scanner.name_or_value(relation_characters, "the name of an attribute");
    if (scanner.accept("=") && scanner.accept("*") && scanner.at_end()) return name;
  } catch (const BadCell&) {
    // No name comes first. Whoever reads the target as a comparison says what is wrong.
  }
  return std::nullopt;
}

bool concludes_classes(const Aim& aim, std::span<const Attribute> attributes) {
  const auto is_of_labels = [&](const std::string& target) {
    const auto name = any_value_of(target);
    return name && std::any_of(attributes.begin(), attributes.end(), [&](const Attribute& a) {
             return a.name == *name && !a.ordered() && !a.item;
           });
  };
  return aim.has_target() && std::all_of(aim.target.begin(), aim.target.end(), is_of_labels);
}

std::uint32_t class_attribute(const Aim& aim, std::span<const Attribute> attributes) {
  const auto name = aim.target.size() == 1 ? any_value_of(aim.target.front()) : std::nullopt;
  if (!name) throw UsageError("--class names no attribute");
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& a) { return a.name == *name; });
  if (found == attributes.end()) {
    std::vector<std::string> names;
    for (const Attribute& attribute : attributes) names.push_back(attribute.name);
    throw UsageError("--class: no attribute " + in_quotes(*name) + suggestion(*name, names));
  }
  if (found->ordered() && found->kind != AttributeKind::ordinal) {
    throw UsageError("--class: " + in_quotes(*name) + " has " +
                     std::to_string(found->exact_distinct) +
                     " numbers; classes are labels, or at most 20 whole numbers: atoll import "
                     "--nominal makes labels of them");
  }
  if (found->distinct() < 2) {
    throw UsageError("--class: " + in_quotes(*name) + " has " +
                     (found->distinct() == 0 ? "no value" : "one value only") +
                     (found->missing == 0 ? ""
                                          : ", and " + counted(found->missing, "row") +
                                                " without value, as NA and the like mean none "
                                                "(--missing-only says which do)"));
  }
  return static_cast<std::uint32_t>(found - attributes.begin());
}

}  // namespace atl
