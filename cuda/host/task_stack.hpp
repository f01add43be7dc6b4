#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace atl::cuda {

/// Tasks of a search, of which the last come first: what waits stays small.
class TaskStack {
 public:
  /// @param task_words  of each
  TaskStack(std::span<const std::uint32_t> first, std::size_t task_words)
      : words_(first.begin(), first.end()), task_words_(task_words) {}

  std::size_t size() const noexcept { return words_.size() / task_words_; }
  /// Copies the last ones, at most so many, and removes them; returns how many they are.
  std::size_t take(std::size_t most, std::uint32_t* to) {
    const std::size_t count = most < size() ? most : size();
    const auto from = words_.end() - static_cast<std::ptrdiff_t>(count * task_words_);
    std::copy(from, words_.end(), to);
    words_.erase(from, words_.end());
    return count;
  }
  /// Room for so many more, to be written.
  std::uint32_t* add(std::size_t count) {
    words_.resize(words_.size() + count * task_words_);
    return words_.data() + words_.size() - count * task_words_;
  }

 private:
  std::vector<std::uint32_t> words_;
  std::size_t task_words_;
};

}  // namespace atl::cuda
