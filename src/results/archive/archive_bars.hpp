// What a rule must beat to enter an archive, for those who ask without having the archive.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/results/archive/archive.hpp"
#include "src/results/archive/niche.hpp"

namespace atl {

/// A rule that an archive refuses once it refuses for good: what is better stays, or gives way to
/// what is better still. So a bar never falls, one that is out of date only lets more pass, and the
/// archive ends the same whether weak rules were held back by bars or offered. Any thread may ask
/// or raise at any time. The table forgets: a bar may be displaced by that of another niche.
class ArchiveBars {
 public:
  ArchiveBars() : slots_(std::size_t{1} << log2_slots) {}

  /// Is a rule of this niche too weak for the archive? False where that depends on more than its
  /// value.
  /// @param value  of the archive's measure
  bool refuse(double value, const Niche& niche) const noexcept;
  /// Notes where the archive stands. @param bars  Archive::bars(niche)
  void raise(const Niche& niche, const Archive::Bars& bars) noexcept;

 private:
  static constexpr unsigned log2_slots = 15;  // half a MiB

  /// A key and its value, the key combined with the value's bits: a value that belongs to another
  /// key, read or written half, is recognised and passed over (Hyatt and Mann 2002, "A lock-less
  /// transposition table implementation for parallel search chess engines").
  struct Slot {
    std::atomic<std::uint64_t> check{0};
    std::atomic<std::uint64_t> value{0};
  };

  std::vector<Slot> slots_;
};

}  // namespace atl
