// The combinations that [array] stands for. Heavy: for .cpp files only.
#pragma once

#include <string>
#include <vector>

#include "src/config/toml_text.hpp"

namespace atl {

/// A value of an option in one combination.
struct Setting {
  std::string key;
  const toml::node* value;   ///< as written, for its place
  std::string range_number;  ///< of a range such as "1-4"; else empty: the value says all
};

/// Every combination of the table's values, keys in the order of the file, the last varying
/// fastest. A value is a list, or a range of whole numbers such as "1-4".
/// @throws BadData for other values, none or too many
std::vector<std::vector<Setting>> combinations(const toml::table& array, const std::string& file);

/// A name for the folder of a run, "seed-1_min-support-1%": what shells and Slurm do not like is
/// replaced.
std::string combination_name(const std::vector<std::string>& typed_options);

}  // namespace atl
