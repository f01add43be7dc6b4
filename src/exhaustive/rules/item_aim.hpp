#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

/// The consequents of the rules to enumerate; none of either: any item.
struct ItemAim {
  std::vector<std::uint32_t> attributes;  ///< any item of these, ascending
  std::vector<Comparison> comparisons;    ///< ascending

  bool open() const noexcept { return attributes.empty() && comparisons.empty(); }
  /// The only attribute that is concluded, which no antecedent names then.
  bool is_only(std::uint32_t attribute) const noexcept;
};

/// The targets that an option gives, as those of `atoll mine`: a name alone is any value of it.
/// None of "none".
/// @throws UsageError for what is no target, or a statistic, which no enumeration concludes
std::vector<std::string> enumerated_targets(const std::string& option);

/// The names of the attributes that targets are about, each once.
std::vector<std::string> names_of_targets(const std::vector<std::string>& targets);

/// @param targets  of enumerated_targets()
/// @throws UsageError for names and values that the data do not have, with the nearest
ItemAim bind_targets(const std::vector<std::string>& targets,
                     std::span<const Attribute> attributes);

}  // namespace atl
