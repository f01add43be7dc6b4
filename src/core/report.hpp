#pragma once

#include <functional>
#include <string>

namespace atl {

enum class Severity { info, warning };

/// Where a layer that owns no terminal says what a person should know; one line, no newline.
using Report = std::function<void(Severity, const std::string&)>;

}  // namespace atl
