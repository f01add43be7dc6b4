#include "src/core/random.hpp"

#include <Random123/philox.h>

namespace atl {

std::uint64_t RandomStream::next_u64() noexcept {
  if (left_ == 0) {
    const r123::Philox4x32::ctr_type counter = {
        {block_++, key_.slot, key_.generation,
         (key_.island & 0xFFFFFFU) | static_cast<std::uint32_t>(key_.purpose) << 24}};
    const r123::Philox4x32::key_type key = {
        {static_cast<std::uint32_t>(key_.seed), static_cast<std::uint32_t>(key_.seed >> 32)}};
    const auto words = r123::Philox4x32()(counter, key);
    buffer_[1] = words[0] | static_cast<std::uint64_t>(words[1]) << 32;
    buffer_[0] = words[2] | static_cast<std::uint64_t>(words[3]) << 32;
    left_ = 2;
  }
  return buffer_[--left_];
}

double RandomStream::next_double() noexcept {
  return static_cast<double>(next_u64() >> 11) * 0x1p-53;
}

std::uint64_t RandomStream::below(std::uint64_t bound) noexcept {
  auto product = static_cast<unsigned __int128>(next_u64()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<unsigned __int128>(next_u64()) * bound;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace atl
