#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "src/core/files/folder.hpp"

namespace atl {

/// log.jsonl of a run, open if it is there: no link is followed to it, no pipe waited for.
/// @throws IoError
std::ifstream open_log(const io::Folder& run);

/// Calls `take` with each whole line of a log.jsonl, which may be longer than the memory, without
/// its end, and with its place in what is read. What a job that was killed left of a line is passed
/// over, and so are lines that are none of ours: those of more than 1 MiB, and JSON that is nested
/// more than 16 deep. One of more than 1 GiB is the end.
/// @return  bytes of whole lines
std::uint64_t for_each_log_line(
    std::istream& log, const std::function<void(std::string_view line, std::uint64_t at)>& take);

}  // namespace atl
