#include "src/rules/class_target.hpp"

#include <algorithm>

#include "src/core/error.hpp"
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
    return name && std::any_of(attributes.begin(), attributes.end(),
                               [&](const Attribute& a) { return a.name == *name && !a.ordered(); });
  };
  return aim.has_target() && std::all_of(aim.target.begin(), aim.target.end(), is_of_labels);
}

}  // namespace atl
