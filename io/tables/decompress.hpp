#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/tables/text_source.hpp"

namespace atl::io {

/// @param start  the first bytes of a file, 6 if it has that many
bool is_xz(std::string_view start) noexcept;
bool is_gzip(std::string_view start) noexcept;

/// Decompressed text of a file of one or several .xz streams or .gz members.
/// @param name  the file's, for messages
std::unique_ptr<TextSource> decompress_xz(std::unique_ptr<TextSource> file,
                                          const std::string& name);
std::unique_ptr<TextSource> decompress_gzip(std::unique_ptr<TextSource> file,
                                            const std::string& name);

}  // namespace atl::io
