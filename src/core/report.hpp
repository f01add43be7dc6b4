#pragma once

#include <functional>
#include <string>

namespace atl {

enum class Severity { debug, info, warning };

/// Where a layer that owns no terminal says what a person should know; one line, no newline.
/// Debug lines (library error stacks among them) are shown only with --verbose.
using Report = std::function<void(Severity, const std::string&)>;

}  // namespace atl
