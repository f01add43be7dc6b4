// Targets such as "Class=*", of which rules conclude one value each.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "src/config/aim.hpp"
#include "src/data/attribute.hpp"

namespace atl {

/// The attribute A of a target "A=*", whether the data have it or not; nothing if the target is of
/// another form.
std::optional<std::string> any_value_of(const std::string& target);

/// Does every rule with this aim conclude a single label of a target "A=*"? Then the rows of that
/// label are a class, and what is asked of a rule can depend on how many they are.
bool concludes_classes(const Aim& aim, std::span<const Attribute> attributes);

}  // namespace atl
