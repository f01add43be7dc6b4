#include "io/tables/text/text_buffer.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "io/tables/text/text_encoding.hpp"
#include "src/core/utf8.hpp"

namespace atl::io {
namespace {

constexpr std::size_t first_capacity = std::size_t{1} << 18;

/// Bytes at the start of text that are ASCII without NUL, in steps of 64.
std::size_t plain_prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  for (; at + 64 <= text.size(); at += 64) {
    unsigned char least = 0xFF;
    unsigned char all = 0;
    for (std::size_t i = 0; i < 64; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      least = std::min(least, byte);
      all |= byte;
    }
    if (least == 0 || all >= 0x80) break;
  }
  return at;
}

/// Offset of the first NUL byte or ill-formed byte, or text.size().
std::size_t first_fault(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    at += plain_prefix(text.substr(at));
    for (const std::size_t stop = std::min(text.size(), at + 64); at < stop;) {
      const std::size_t length = text[at] == '\0' ? 0 : utf8_sequence_length(text, at);
      if (length == 0) return at;
      at += length;
    }
  }
  return at;
}

/// Could these bytes, fewer than 4, be the start of a well-formed sequence?
bool may_continue(std::string_view text) noexcept {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  return text.size() < length;
}

}  // namespace

TextBuffer::TextBuffer(std::unique_ptr<TextSource> source, std::size_t limit)
    : source_(std::move(source)),
      limit_(limit),
      capacity_(std::min(limit, first_capacity)),
      bytes_(std::make_unique<char[]>(capacity_ + padding)) {}

MoreText TextBuffer::more() {
  if (faulty_) return MoreText::fault;
  if (ended_) return MoreText::end;
  if (end_ - begin_ >= limit_) return MoreText::full;
  make_room();
  const std::size_t before = end_ - begin_;
  while (read_ < capacity_ && !ended_ && !faulty_) {  // full, or a long row is split too often
    const std::size_t got = source_->read(bytes_.get() + read_, capacity_ - read_);
    read_ += got;
    ended_ = got == 0;
    check();
  }
  if (end_ - begin_ > before) return MoreText::grown;
  return faulty_ ? MoreText::fault : MoreText::end;
}

std::string TextBuffer::expected_text() const {
  return expected_utf8({bytes_.get(), read_}, end_);  // what is consumed tells, too
}

void TextBuffer::make_room() {
  const std::size_t kept = read_ - begin_;
  if (begin_ > 0) {
    std::memmove(bytes_.get(), begin(), kept);
    end_ -= begin_;
    read_ = kept;
    begin_ = 0;
  }
  const std::size_t doubled = std::min(limit_ + 4, capacity_ * 2);  // 4: a cut-off sequence
  const std::size_t larger = std::max(read_ > capacity_ / 2 ? doubled : 0, wanted_);
  if (larger > capacity_) {
    auto bytes = std::make_unique<char[]>(larger + padding);
    std::memcpy(bytes.get(), bytes_.get(), read_);
    bytes_ = std::move(bytes);
    capacity_ = larger;
  }
}

void TextBuffer::check() {
  const std::string_view fresh(bytes_.get() + end_, read_ - end_);
  if (!started_) {
    if (!ended_ && fresh.size() < byte_order_mark.size()) return;
    started_ = true;
    if (fresh.substr(0, byte_order_mark.size()) == byte_order_mark) {
      begin_ += byte_order_mark.size();
      end_ = begin_;
      return check();
    }
  }
  const std::size_t good = first_fault(fresh);
  end_ += good;
  const std::string_view rest = fresh.substr(good);
  faulty_ = !rest.empty() && (ended_ || rest.front() == '\0' || !may_continue(rest));
}

}  // namespace atl::io
