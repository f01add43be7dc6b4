#include "io/tables/text/packings.hpp"

#include <algorithm>
#include <array>
#include <bzlib.h>
#include <cstdint>
#include <new>
#include <utility>
#include <zstd.h>
#include <zstd_errors.h>

#include <lzma.h>
#include <zlib.h>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

/// The memory that a decoder may allocate; `xz -9` needs 65 MiB, `zstd --ultra -22` 128 MiB.
constexpr int decoder_memory_bits = 30;
constexpr std::uint64_t decoder_memory = std::uint64_t{1} << decoder_memory_bits;

/// The packed bytes, a block at a time.
struct PackedBlock {
  explicit PackedBlock(std::unique_ptr<TextSource> source) : file(std::move(source)) {}
  /// Number of bytes now in `bytes`; 0 at the end.
  std::size_t fill() { return file->read(bytes.data(), bytes.size()); }
  std::unique_ptr<TextSource> file;
  std::array<char, std::size_t{1} << 16> bytes;
};

class Bzip2Source : public TextSource {
 public:
  Bzip2Source(std::unique_ptr<TextSource> file, std::string name)
      : block_(std::move(file)), name_(std::move(name)) {
    begin_stream();
  }
  ~Bzip2Source() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2Source(const Bzip2Source&) = delete;
  Bzip2Source& operator=(const Bzip2Source&) = delete;

  std::size_t read(char* into, std::size_t capacity) override {
    const auto room = static_cast<unsigned>(std::min<std::size_t>(capacity, 1U << 30));
    stream_.next_out = into;
    stream_.avail_out = room;
    while (!ended_ && stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) break;
      if (between_streams_) begin_next_stream();
      const int result = BZ2_bzDecompress(&stream_);
      if (result == BZ_MEM_ERROR) throw std::bad_alloc();
      if (result == BZ_STREAM_END) {
        between_streams_ = true;
      } else if (result != BZ_OK) {
        throw BadData(name_, "bzip2 data is damaged");
      }
    }
    return room - stream_.avail_out;
  }

 private:
  void begin_stream() {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw std::bad_alloc();
  }

  void begin_next_stream() {
    const bz_stream kept = stream_;
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    begin_stream();
    stream_.next_in = kept.next_in;
    stream_.avail_in = kept.avail_in;
    stream_.next_out = kept.next_out;
    stream_.avail_out = kept.avail_out;
    between_streams_ = false;
  }

  /// False at the proper end of the file.
  bool refill() {
    stream_.avail_in = static_cast<unsigned>(block_.fill());
    stream_.next_in = block_.bytes.data();
    if (stream_.avail_in > 0) return true;
    if (!between_streams_) throw BadData(name_, "bzip2 data ends early, the file is truncated");
    ended_ = true;
    return false;
  }

  PackedBlock block_;
  std::string name_;
  bz_stream stream_{};
  bool between_streams_ = false;
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

  PackedBlock block_;
  std::string name_;
  z_stream stream_{};
  bool padded_ = false;
  bool between_members_ = false;
  bool ended_ = false;
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

  PackedBlock block_;
  std::string name_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool last_block_ = false;
  bool ended_ = false;
};

class ZstdSource : public TextSource {
 public:
  ZstdSource(std::unique_ptr<TextSource> file, std::string name)
      : block_(std::move(file)), name_(std::move(name)), decoder_(ZSTD_createDCtx()) {
    if (decoder_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(decoder_.get(), ZSTD_d_windowLogMax, decoder_memory_bits);
  }

  std::size_t read(char* into, std::size_t capacity) override {
    ZSTD_outBuffer out{into, capacity, 0};
    while (!ended_ && out.pos == 0) {
      if (packed_.pos == packed_.size && !refill()) {
        flush(out);
        break;
      }
      decode(out);
    }
    return out.pos;
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* decoder) const noexcept { ZSTD_freeDCtx(decoder); }
  };

  bool refill() {
    packed_ = {block_.bytes.data(), block_.fill(), 0};
    return packed_.size > 0;
  }

  void decode(ZSTD_outBuffer& out) {
    const std::size_t result = ZSTD_decompressStream(decoder_.get(), &out, &packed_);
    if (ZSTD_isError(result) == 0) {
      within_frame_ = result != 0;
      return;
    }
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        throw BadData(name_, "zstd data needs more than 1 GiB to decompress");
      default:
        throw BadData(name_, "zstd data is damaged");
    }
  }

  /// Gives out what the decoder still holds once the file has ended.
  void flush(ZSTD_outBuffer& out) {
    if (within_frame_) decode(out);
    if (out.pos > 0) return;
    if (within_frame_) throw BadData(name_, "zstd data ends early, the file is truncated");
    ended_ = true;
  }

  PackedBlock block_;
  std::string name_;
  std::unique_ptr<ZSTD_DCtx, Free> decoder_;
  ZSTD_inBuffer packed_{nullptr, 0, 0};
  bool within_frame_ = true;  ///< else the file may end here
  bool ended_ = false;
};

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
  if (is_gzip(start)) return std::make_unique<GzipSource>(std::move(file), name);
  if (is_xz(start)) return std::make_unique<XzSource>(std::move(file), name);
  if (is_zstd(start)) return std::make_unique<ZstdSource>(std::move(file), name);
  if (is_bzip2(start)) return std::make_unique<Bzip2Source>(std::move(file), name);
  return file;
}

}  // namespace atl::io
