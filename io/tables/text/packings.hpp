// Packed texts: gzip, xz, zstd and bzip2, told by their first bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// First bytes that tell how a file is packed.
inline constexpr std::size_t packing_magic_bytes = 10;

/// The unpacked text, if the file is packed, else the file itself. Several streams, members or
/// frames one after another are one text.
/// @param start  the first bytes of the file, packing_magic_bytes if it has that many
/// @param name  the file's, for messages
/// @throws std::bad_alloc; a read throws BadData for damaged and truncated data
std::unique_ptr<TextSource> unpacked(std::unique_ptr<TextSource> file, std::string_view start,
                                     const std::string& name);

}  // namespace atl::io
