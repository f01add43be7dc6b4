#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace atl {

/// Calls `use` with the number of each bit that is set in both, ascending.
/// @param others  as many words at least
template <typename Use>
void for_each_set_bit(std::span<const std::uint64_t> words, std::span<const std::uint64_t> others,
                      const Use& use) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    for (std::uint64_t word = words[w] & others[w]; word != 0; word &= word - 1) {
      use(64 * w + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

/// Calls `use` with the number of each bit that is set, ascending.
template <typename Use>
void for_each_set_bit(std::span<const std::uint64_t> words, const Use& use) {
  for_each_set_bit(words, words, use);
}

}  // namespace atl
