#include <cstddef>
#include <new>
#include <utility>
#include <zstd.h>
#include <zstd_errors.h>

#include "io/tables/text/packings.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

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

  /// What the decoder still holds once the file has ended.
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

}  // namespace

std::unique_ptr<TextSource> unpack_zstd(std::unique_ptr<TextSource> file, const std::string& name) {
  return std::make_unique<ZstdSource>(std::move(file), name);
}

}  // namespace atl::io
