#include "io/tables/decompress.hpp"

#include <array>
#include <cstdint>
#include <utility>

#include <lzma.h>
#include <zlib.h>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;
/// What a decoder may allocate; `xz -9` needs 65 MiB.
constexpr std::uint64_t decoder_memory = std::uint64_t{1} << 30;

/// The compressed bytes, a block at a time.
struct Block {
  explicit Block(std::unique_ptr<TextSource> source) : file(std::move(source)) {}
  /// Number of bytes now in `bytes`; 0 at the end.
  std::size_t fill() { return file->read(bytes.data(), bytes.size()); }
  std::unique_ptr<TextSource> file;
  std::array<char, block_bytes> bytes;
};

class XzSource : public TextSource {
 public:
  XzSource(std::unique_ptr<TextSource> file, std::string name)
      : block_(std::move(file)), name_(std::move(name)) {
    if (lzma_stream_decoder(&stream_, decoder_memory, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~XzSource() override { lzma_end(&stream_); }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;

  std::size_t read(char* into, std::size_t capacity) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(into);
    stream_.avail_out = capacity;
    while (!ended_ && stream_.avail_out == capacity) {
      if (stream_.avail_in == 0 && !last_block_) {
        stream_.avail_in = block_.fill();
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(block_.bytes.data());
        last_block_ = stream_.avail_in == 0;
      }
      check(lzma_code(&stream_, last_block_ ? LZMA_FINISH : LZMA_RUN));
    }
    return capacity - stream_.avail_out;
  }

 private:
  void check(lzma_ret result) {
    switch (result) {
      case LZMA_OK:
        return;
      case LZMA_STREAM_END:
        ended_ = true;
        return;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        throw BadData(name_, "xz data needs more than 1 GiB to decompress");
      case LZMA_BUF_ERROR:
        throw BadData(name_, "xz data ends early, the file is truncated");
      default:
        throw BadData(name_, "xz data is damaged");
    }
  }

  Block block_;
  std::string name_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool last_block_ = false;
  bool ended_ = false;
};

class GzipSource : public TextSource {
 public:
  GzipSource(std::unique_ptr<TextSource> file, std::string name)
      : block_(std::move(file)), name_(std::move(name)) {
    constexpr int gzip_window = 15 + 16;  // largest window; gzip header expected
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* into, std::size_t capacity) override {
    const uInt room = static_cast<uInt>(std::min<std::size_t>(capacity, 1U << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = room;
    while (!ended_ && stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) break;
      if (between_members_) {
        if (!pass_padding()) continue;
        inflateReset(&stream_);
        between_members_ = false;
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      if (result == Z_STREAM_END) {
        between_members_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw BadData(name_, "gzip data is damaged");
      }
    }
    return room - stream_.avail_out;
  }

 private:
  /// False at the proper end of the file.
  bool refill() {
    stream_.avail_in = static_cast<uInt>(block_.fill());
    stream_.next_in = reinterpret_cast<Bytef*>(block_.bytes.data());
    if (stream_.avail_in > 0) return true;
    if (!between_members_) throw BadData(name_, "gzip data ends early, the file is truncated");
    ended_ = true;
    return false;
  }

  /// Zero bytes behind a member, as tapes and block devices add them, up to the end of the file.
  /// @return whether another member begins
  bool pass_padding() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
      padded_ = true;
    }
    if (stream_.avail_in > 0 && padded_) throw BadData(name_, "gzip data is damaged");
    return stream_.avail_in > 0;
  }

  Block block_;
  std::string name_;
  z_stream stream_{};
  bool padded_ = false;
  bool between_members_ = false;
  bool ended_ = false;
};

}  // namespace

bool is_xz(std::string_view start) noexcept {
  return start.substr(0, 6) == std::string_view(
                                   "\xFD"
                                   "7zXZ\0",
                                   6);
}

bool is_gzip(std::string_view start) noexcept {
  return start.substr(0, 2) == "\x1F\x8B";
}

std::unique_ptr<TextSource> decompress_xz(std::unique_ptr<TextSource> file,
                                          const std::string& name) {
  return std::make_unique<XzSource>(std::move(file), name);
}

std::unique_ptr<TextSource> decompress_gzip(std::unique_ptr<TextSource> file,
                                            const std::string& name) {
  return std::make_unique<GzipSource>(std::move(file), name);
}

}  // namespace atl::io
