#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string_view>

namespace atl {

/// Calls `take` with each whole line of a log.jsonl, which may be longer than the memory, without
/// its end, and with its place in what is read. What a job that was killed left of a line is passed
/// over, and so are lines of more than 1 MiB, which are none of ours.
/// @return  bytes of whole lines
std::uint64_t for_each_log_line(
    std::istream& log, const std::function<void(std::string_view line, std::uint64_t at)>& take);

}  // namespace atl
