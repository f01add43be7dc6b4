// Names in messages.
#pragma once

#include <string>
#include <vector>

namespace atl::io {

/// ", did you mean 'a' or 'b'?" of the up to three names within a small edit distance, nearest
/// first; else ", expected one of 'a', 'b', ..." with the first names.
std::string suggestion(const std::string& name, const std::vector<std::string>& names);

/// 'name', made printable.
std::string in_quotes(const std::string& name);

/// "a, b, c", with the number of the rest after 20.
std::string listed(const std::vector<std::string>& items);

}  // namespace atl::io
