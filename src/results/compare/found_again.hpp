// Tells which rules of a list other searches of the same rows have found, too.
#pragma once

#include <span>
#include <vector>

#include "src/eval/device.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl {

/// Sets found_again of each rule: the share of the other lists that have it, or one whose sides
/// each have nearly the same rows (same_find). Variants, definitions and what is `as_found` count
/// as found. Blocking.
/// @param others    at least one list
/// @param resident  of the rows searched, with the values that the rules name
void find_again(std::vector<WrittenRule>& rules, std::span<const std::vector<WrittenRule>> others,
                Resident& resident);

}  // namespace atl
