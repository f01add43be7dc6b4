#include "src/run/log/log_lines.hpp"

#include "io/run/run_files.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

/// Counts brackets within texts, too: records of ours have next to none there.
bool is_deep(std::string_view line) {
  int depth = 0;
  for (const char c : line) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > 16) return true;
  }
  return false;
}

}  // namespace

std::ifstream open_log(const io::Folder& run) {
  std::ifstream log;
  try {
    const auto file = run.open_to_read(io::run_names::log);
    log.open("/proc/self/fd/" + std::to_string(file.get()), std::ios::binary);
  } catch (const MissingInput&) {
    // There is none yet.
  }
  return log;
}

std::uint64_t for_each_log_line(
    std::istream& log, const std::function<void(std::string_view line, std::uint64_t at)>& take) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  constexpr std::uint64_t endless = std::uint64_t{1} << 30;
  std::string block(std::size_t{1} << 16, '\0');
  std::string line;
  std::uint64_t begin = 0;   // of the line
  std::uint64_t length = 0;  // that is read of it
  while (log.read(block.data(), static_cast<std::streamsize>(block.size())), log.gcount() > 0) {
    std::string_view left(block.data(), static_cast<std::size_t>(log.gcount()));
    while (!left.empty()) {
      const std::string_view part = left.substr(0, left.find('\n'));
      const bool whole = part.size() < left.size();
      length += part.size();
      if (length > endless) return begin;
      if (length <= longest) line += part;
      left.remove_prefix(part.size() + (whole ? 1 : 0));
      if (!whole) continue;
      if (length <= longest && !is_deep(line)) take(line, begin);
      begin += length + 1;
      length = 0;
      line.clear();
    }
  }
  return begin;
}

}  // namespace atl
