// The decoders behind unpacked(), one a file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "io/tables/text/text_source.hpp"

namespace atl::io {

/// What a decoder may allocate; `xz -9` needs 65 MiB, `zstd --ultra -22` 128 MiB.
inline constexpr int decoder_memory_bits = 30;
inline constexpr std::uint64_t decoder_memory = std::uint64_t{1} << decoder_memory_bits;

/// The packed bytes, a block at a time.
struct PackedBlock {
  explicit PackedBlock(std::unique_ptr<TextSource> source) : file(std::move(source)) {}
  /// Number of bytes now in `bytes`; 0 at the end.
  std::size_t fill() { return file->read(bytes.data(), bytes.size()); }
  std::unique_ptr<TextSource> file;
  std::array<char, std::size_t{1} << 16> bytes;
};

/// @param name  the file's, for messages
std::unique_ptr<TextSource> unpack_bzip2(std::unique_ptr<TextSource> file, const std::string& name);
std::unique_ptr<TextSource> unpack_gzip(std::unique_ptr<TextSource> file, const std::string& name);
std::unique_ptr<TextSource> unpack_xz(std::unique_ptr<TextSource> file, const std::string& name);
std::unique_ptr<TextSource> unpack_zstd(std::unique_ptr<TextSource> file, const std::string& name);

}  // namespace atl::io
