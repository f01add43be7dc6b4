// Options as a TOML file holds them. Heavy: for .cpp files only.
#pragma once

#include <string>

#include "src/config/toml_text.hpp"

namespace CLI {
class App;
}

namespace atl {

/// "FILE:LINE:COLUMN: "
std::string toml_place(const std::string& file, const toml::source_region& where);

/// A scalar, or a list of them with commas between, as it would be typed. @throws UsageError
std::string typed_value(const toml::node& node, const std::string& file);

/// "--seed=7" of a key that is a long option's name without dashes; "--force" of a flag that is
/// true; of one that is false nothing, or "--absences=false" if it has an opposite.
/// @throws UsageError with the place, for unknown options with the nearest known one
std::string typed_option(const CLI::App& command, const std::string& key, const toml::node& node,
                         const std::string& file);

}  // namespace atl
