#include "io/tables/text/decompress.hpp"

#include <utility>

#include "io/tables/text/packings.hpp"

namespace atl::io {
namespace {

using namespace std::string_view_literals;

bool is_gzip(std::string_view start) noexcept {
  return start.starts_with("\x1F\x8B"sv);
}

bool is_xz(std::string_view start) noexcept {
  return start.starts_with(
      "\xFD"
      "7zXZ\0"sv);
}

/// Parallel packers begin with a frame that is to be skipped, of which there are sixteen kinds.
bool is_zstd(std::string_view start) noexcept {
  if (start.starts_with("\x28\xB5\x2F\xFD"sv)) return true;
  return start.size() >= 4 && (static_cast<unsigned char>(start[0]) & 0xF0U) == 0x50 &&
         start.substr(1, 3) == "\x2A\x4D\x18"sv;
}

/// A text may begin with BZh, so the first block's mark, or that of the end, must follow.
bool is_bzip2(std::string_view start) noexcept {
  if (!start.starts_with("BZh"sv) || start.size() < packing_magic_bytes) return false;
  const std::string_view mark = start.substr(4, 6);
  return start[3] >= '1' && start[3] <= '9' &&
         (mark == "\x31\x41\x59\x26\x53\x59"sv || mark == "\x17\x72\x45\x38\x50\x90"sv);
}

}  // namespace

std::unique_ptr<TextSource> unpacked(std::unique_ptr<TextSource> file, std::string_view start,
                                     const std::string& name) {
  if (is_gzip(start)) return unpack_gzip(std::move(file), name);
  if (is_xz(start)) return unpack_xz(std::move(file), name);
  if (is_zstd(start)) return unpack_zstd(std::move(file), name);
  if (is_bzip2(start)) return unpack_bzip2(std::move(file), name);
  return file;
}

}  // namespace atl::io
