#pragma once

#include <string>

namespace atl {

/// As one word of a shell's command line, quoted only if it has to be.
std::string shell_word(const std::string& text);

}  // namespace atl
