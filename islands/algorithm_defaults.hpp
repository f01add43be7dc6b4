#pragma once

#include <string_view>

namespace atl {

/// The text of islands/NAME/NAME.toml. @pre there is such a file
std::string_view algorithm_defaults(std::string_view folder);

}  // namespace atl
