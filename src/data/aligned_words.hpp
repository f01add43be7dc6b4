#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

namespace atl {

/// A fixed number of words, zero at first, that begins at a 64-byte boundary: a cache line and the
/// widest vector register.
class AlignedWords {
 public:
  static constexpr std::size_t alignment = 64;

  AlignedWords() = default;
  explicit AlignedWords(std::size_t size) : AlignedWords(unset(size)) {
    std::uninitialized_fill_n(words_.get(), size, std::uint64_t{0});
  }
  /// Words that have yet to be written, perhaps by several threads: the system then makes room for
  /// them side by side.
  static AlignedWords unset(std::size_t size) {
    AlignedWords words;
    words.words_.reset(static_cast<std::uint64_t*>(
        ::operator new (size * sizeof(std::uint64_t), std::align_val_t{alignment})));
    words.size_ = size;
    return words;
  }

  std::uint64_t* data() noexcept { return words_.get(); }
  const std::uint64_t* data() const noexcept { return words_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::span<std::uint64_t> words() noexcept { return {words_.get(), size_}; }
  std::span<const std::uint64_t> words() const noexcept { return {words_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::uint64_t* words) const noexcept {
      ::operator delete (words, std::align_val_t{alignment});
    }
  };
  std::unique_ptr<std::uint64_t[], Free> words_;
  std::size_t size_ = 0;
};

}  // namespace atl
