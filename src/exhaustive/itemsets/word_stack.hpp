#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/data/aligned_words.hpp"

namespace atl {

/// Memory that is taken and given back in reverse order, as a recursion does. Each piece begins at
/// a 64-byte boundary, is unset, and may be read up to 64 bytes beyond its end.
class WordStack {
 public:
  struct Mark {
    std::size_t block, used;
  };

  Mark mark() const noexcept { return {block_, used_}; }
  /// Gives back all that was taken since.
  void release(Mark mark) noexcept {
    block_ = mark.block;
    used_ = mark.used;
  }
  std::uint64_t* words(std::size_t count) {
    const std::size_t size = (count + 7) / 8 * 8 + 8;
    while (block_ < blocks_.size() && used_ + size > blocks_[block_].size()) next();
    if (block_ == blocks_.size()) {
      blocks_.push_back(AlignedWords::unset(std::max(size, block_words)));
    }
    std::uint64_t* const taken = blocks_[block_].data() + used_;
    used_ += size;
    return taken;
  }
  template <typename T>
  T* array(std::size_t count) {
    return reinterpret_cast<T*>(words((count * sizeof(T) + 7) / 8));
  }

 private:
  static constexpr std::size_t block_words = std::size_t{1} << 16;

  void next() noexcept {
    ++block_;
    used_ = 0;
  }

  std::vector<AlignedWords> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

/// Gives back at the end of a scope what was taken in it.
class StackScope {
 public:
  explicit StackScope(WordStack& stack) : stack_(stack), mark_(stack.mark()) {}
  ~StackScope() { stack_.release(mark_); }
  StackScope(const StackScope&) = delete;
  StackScope& operator=(const StackScope&) = delete;

 private:
  WordStack& stack_;
  WordStack::Mark mark_;
};

}  // namespace atl
