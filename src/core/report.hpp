#pragma once

#include <functional>
#include <string>

namespace atl {

enum class Severity { info, warning };

/// Takes what a layer without a terminal has to tell a person: one line, no newline.
using Report = std::function<void(Severity, const std::string&)>;

}  // namespace atl
