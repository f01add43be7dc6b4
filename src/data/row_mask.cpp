#include "src/data/row_mask.hpp"

#include <bit>

namespace atl {

RowMask::RowMask(std::initializer_list<bool> bits) : RowMask(bits.size()) {
  std::uint64_t row = 0;
  for (const bool bit : bits) {
    if (bit) set(row);
    ++row;
  }
}

std::uint64_t RowMask::count() const noexcept {
  std::uint64_t set = 0;
  for (const std::uint64_t word : words_) set += static_cast<std::uint64_t>(std::popcount(word));
  return set;
}

}  // namespace atl
