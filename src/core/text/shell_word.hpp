#pragma once

#include <string>

namespace atl {

/// Writes the text as one word of bash's command line, quoted only if it has to be. Characters that
/// are not shown (shown_sequence_length) become escapes.
std::string shell_word(const std::string& text);

}  // namespace atl
