#include "src/results/archive/archive_bars.hpp"

#include <bit>

namespace atl {

namespace {

/// Different for the three parts of a niche. Never 0, which is the key of a slot without a value.
std::array<std::uint64_t, 3> keys(const Niche& niche) noexcept {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
  const auto key = [](std::uint64_t part, std::uint64_t number) {
    const std::uint64_t mixed = (part + number * 0xBF58476D1CE4E5B9U) * odd;
    return (mixed ^ mixed >> 31) | 1U;
  };
  return {key(niche.consequent, 1), key(niche.bucket, 2), key(niche.structure, 3)};
}

}  // namespace

bool ArchiveBars::refuse(double value, const Niche& niche) const noexcept {
  for (const std::uint64_t key : keys(niche)) {
    const Slot& slot = slots_[key >> (64 - log2_slots)];
    const std::uint64_t bits = slot.value.load(std::memory_order_relaxed);
    if ((slot.check.load(std::memory_order_relaxed) ^ bits) != key) continue;
    if (by_measure(value, std::bit_cast<double>(bits)) > 0) return true;
  }
  return false;
}

void ArchiveBars::raise(const Niche& niche, const Archive::Bars& bars) noexcept {
  const auto its = keys(niche);
  for (std::size_t i = 0; i < its.size(); ++i) {
    if (!bars[i]) continue;
    Slot& slot = slots_[its[i] >> (64 - log2_slots)];
    const auto bits = std::bit_cast<std::uint64_t>(*bars[i]);
    slot.value.store(bits, std::memory_order_relaxed);
    slot.check.store(its[i] ^ bits, std::memory_order_relaxed);
  }
}

}  // namespace atl
