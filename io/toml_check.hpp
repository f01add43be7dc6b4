#pragma once

#include <string>
#include <string_view>

namespace atl::io {

/// Refuses what toml++ 3.3 takes for impossible (assertions and, with NDEBUG, licences to the
/// optimiser) where it should see an error: a table header that does not begin with a key, a
/// closing brace in a list, and a byte beyond ASCII outside quotes and comments or behind a
/// backslash. Inline tables are refused along with the braces; a schema needs none.
/// @throws BadCell
void check_toml(std::string_view toml, const std::string& file);

}  // namespace atl::io
