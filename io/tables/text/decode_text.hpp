// Text in other encodings than UTF-8.
#pragma once

#include <memory>
#include <string>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// Does iconv know the encoding on this system?
bool can_decode(const std::string& encoding);

/// The text in UTF-8. What its encoding does not allow is a BadCell at a read, with its line.
/// @param encoding  as known_encoding or marked_encoding
/// @param says  what says that it is this one, for messages: "--encoding"
/// @param name  the file's, for messages
/// @throws BadData if it cannot be converted here
std::unique_ptr<TextSource> decoded(std::unique_ptr<TextSource> bytes, const std::string& encoding,
                                    const std::string& says, const std::string& name);

}  // namespace atl::io
