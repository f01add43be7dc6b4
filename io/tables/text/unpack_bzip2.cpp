#include <algorithm>
#include <bzlib.h>
#include <cstddef>
#include <new>
#include <utility>

#include "io/tables/text/packings.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

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

}  // namespace

std::unique_ptr<TextSource> unpack_bzip2(std::unique_ptr<TextSource> file,
                                         const std::string& name) {
  return std::make_unique<Bzip2Source>(std::move(file), name);
}

}  // namespace atl::io
