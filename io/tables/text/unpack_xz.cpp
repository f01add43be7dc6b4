#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <lzma.h>

#include "io/tables/text/packings.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

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

}  // namespace

std::unique_ptr<TextSource> unpack_xz(std::unique_ptr<TextSource> file, const std::string& name) {
  return std::make_unique<XzSource>(std::move(file), name);
}

}  // namespace atl::io
