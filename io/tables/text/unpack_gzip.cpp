#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>

#include <zlib.h>

#include "io/tables/text/packings.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

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

}  // namespace

std::unique_ptr<TextSource> unpack_gzip(std::unique_ptr<TextSource> file, const std::string& name) {
  return std::make_unique<GzipSource>(std::move(file), name);
}

}  // namespace atl::io
