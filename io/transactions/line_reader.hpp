#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// What may be around the items of a line.
constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// Calls `use` with each line of a text, without its end (\n or \r\n), and its number from 1.
/// @param name  the file's, for messages
/// @throws BadCell for a line of more than 64 MiB, NUL bytes and what is not UTF-8; IoError; what
///         `use` throws
void for_each_line(std::unique_ptr<TextSource> source, const std::string& name,
                   const std::function<void(std::string_view line, std::uint64_t number)>& use);

}  // namespace atl::io
