// Texts whose lines end in a carriage return alone, as old Macintoshes and some spreadsheets write.
#pragma once

#include <memory>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// Does the first line end in a carriage return alone, and no line near it in a line feed, other
/// than within double quotes? @throws as TextSource::read
bool ends_in_returns(TextSource& text);

/// The text with a line feed for each carriage return, and for each pair of both.
std::unique_ptr<TextSource> with_line_feeds(std::unique_ptr<TextSource> text);

}  // namespace atl::io
