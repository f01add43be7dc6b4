// Targets such as "Class=*", of which rules conclude one value each.
#pragma once

#include <cstdint>
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

/// Index of the attribute that a decision list is to conclude, of a target "A=*".
/// @throws UsageError if the aim names none, the data do not have it, or it cannot be learnt
std::uint32_t class_attribute(const Aim& aim, std::span<const Attribute> attributes);

}  // namespace atl
