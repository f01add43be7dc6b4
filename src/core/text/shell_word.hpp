#pragma once

#include <string>

namespace atl {

/// As one word of bash's command line, quoted only if it has to be; what is not shown
/// (shown_sequence_length) as escapes.
std::string shell_word(const std::string& text);

}  // namespace atl
