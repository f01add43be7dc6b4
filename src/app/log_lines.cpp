#include "src/app/log_lines.hpp"

#include <string>

namespace atl {

std::uint64_t for_each_log_line(
    std::istream& log, const std::function<void(std::string_view line, std::uint64_t at)>& take) {
  constexpr std::size_t longest = std::size_t{1} << 20;
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
      if (length <= longest) line += part;
      left.remove_prefix(part.size() + (whole ? 1 : 0));
      if (!whole) continue;
      if (length <= longest) take(line, begin);
      begin += length + 1;
      length = 0;
      line.clear();
    }
  }
  return begin;
}

}  // namespace atl
