// Translates an aim from the names that a user gives to the attributes of the data.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "src/config/aim.hpp"
#include "src/config/experiment.hpp"
#include "src/data/attribute.hpp"
#include "src/grammar/grammar_aim.hpp"

namespace atl {

/// Splits at commas, but for those in double quotes, brackets or parentheses: "income=*,price in
/// [1, 5]".
/// @throws UsageError for an empty part
std::vector<std::string> split_targets(const std::string& text);

/// @pre aim.validate() passes
/// @throws UsageError for names and values that the data do not have, with the nearest, and for
///         aims that no rule on these data can meet
BoundAim bind_aim(const Aim& aim, std::span<const Attribute> attributes);

/// The grammars of an experiment within its aims, by the first of the islands that each is for, as
/// Experiment::by_island().
/// @param source  what messages call the experiment's own
/// @throws as Grammar::parse, bind_aim and BoundGrammar
std::map<std::uint32_t, BoundGrammar> bind_grammars(const Experiment& experiment,
                                                    std::span<const Attribute> attributes,
                                                    const std::string& source);

}  // namespace atl
