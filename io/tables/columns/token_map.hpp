#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace atl::io {

/// Distinct tokens of a column, each with a count; ids in the order in which they were added.
/// Tokens hold no NUL bytes, and 8 bytes must be readable from their start, however short they are
/// (true of every std::string and of RowBlock's fields).
class TokenMap {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  TokenMap() : slots_(first_slots), shift_(64 - first_bits) {}

  /// The token's id, or none.
  std::uint32_t find(std::string_view token) const noexcept {
    if (token.size() <= 8) {
      const std::uint64_t key = short_key(token);
      const Slot& slot = slots_[slot_of(key)];
      if (slot.key == key) return slot.id;
    }
    return find_further(token);
  }
  /// Its id from now on; the count is 0. @pre find(token) == none, size() < none
  std::uint32_t add(std::string_view token);
  void count(std::uint32_t id, std::uint64_t rows = 1) noexcept { rows_[id] += rows; }
  void clear();

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(entries_.size()); }
  /// Valid until the next add() or clear(); 8 bytes readable as above.
  std::string_view text(std::uint32_t id) const noexcept {
    const Entry& entry = entries_[id];
    if (entry.length > 8) return {texts_.data() + entry.key, entry.length};
    return {reinterpret_cast<const char*>(&entry.key), entry.length};
  }
  std::uint64_t rows(std::uint32_t id) const noexcept { return rows_[id]; }
  /// Ids by ascending bytes of their tokens.
  std::vector<std::uint32_t> sorted() const;
  /// Memory held.
  std::size_t bytes() const noexcept {
    return slots_.capacity() * sizeof(Slot) + entries_.capacity() * sizeof(Entry) +
           rows_.capacity() * sizeof(std::uint64_t) + texts_.capacity();
  }

 private:
  static constexpr unsigned first_bits = 3;
  static constexpr std::size_t first_slots = std::size_t{1} << first_bits;

  /// A key is the up to 8 bytes of a token, padded with zeros. That of a longer one is a hash whose
  /// lowest byte is 0 and whose highest is not; no token at all has no_key.
  static constexpr std::uint64_t no_key = 0x100;
  struct Slot {
    std::uint64_t key = no_key;
    std::uint32_t id = none;
  };
  struct Entry {
    std::uint64_t key;  ///< of a token of more than 8 bytes its offset in texts_
    std::uint32_t length;
  };

  static std::uint64_t short_key(std::string_view token) noexcept {
    std::uint64_t bytes;
    std::memcpy(&bytes, token.data(), sizeof bytes);
    return bytes & masks[token.size()];
  }
  static std::uint64_t key_of(std::string_view token) noexcept;
  std::size_t slot_of(std::uint64_t key) const noexcept {
    // Of 20,000 random factors the one with the fewest collisions among small whole numbers.
    return static_cast<std::size_t>((key * 0x724E93760A1EB9CDULL) >> shift_);
  }
  std::uint32_t find_further(std::string_view token) const noexcept;
  void put(const Slot& slot) noexcept;
  void enlarge();

  static constexpr std::uint64_t masks[9] = {0,
                                             0xFF,
                                             0xFFFF,
                                             0xFFFFFF,
                                             0xFFFFFFFF,
                                             0xFFFFFFFFFF,
                                             0xFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFFFF};

  std::vector<Slot> slots_;  ///< open addressing, at most half full
  unsigned shift_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> rows_;
  std::vector<char> texts_;
};

}  // namespace atl::io
