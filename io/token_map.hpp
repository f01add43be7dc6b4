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

  TokenMap() : slots_(first_slots, none), shift_(64 - first_bits) {}

  /// The token's id, or none.
  std::uint32_t find(std::string_view token) const noexcept {
    const std::uint64_t key = key_of(token);
    for (std::size_t slot = slot_of(key);; slot = (slot + 1) & (slots_.size() - 1)) {
      const std::uint32_t id = slots_[slot];
      if (id == none || (entries_[id].key == key && same(entries_[id], token))) return id;
    }
  }
  /// Its id from now on; the count is 0. @pre find(token) == none, size() < none
  std::uint32_t add(std::string_view token);
  void count(std::uint32_t id, std::uint64_t rows = 1) noexcept { entries_[id].count += rows; }
  void clear();

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(entries_.size()); }
  /// Valid until the next add() or clear(); 8 bytes readable as above.
  std::string_view text(std::uint32_t id) const noexcept {
    const Entry& entry = entries_[id];
    if (entry.length > 8) return {texts_.data() + entry.offset, entry.length};
    return {reinterpret_cast<const char*>(&entry.key), entry.length};
  }
  std::uint64_t rows(std::uint32_t id) const noexcept { return entries_[id].count; }
  /// Ids by ascending bytes of their tokens.
  std::vector<std::uint32_t> sorted() const;
  /// Memory held.
  std::size_t bytes() const noexcept {
    return slots_.capacity() * sizeof(std::uint32_t) + entries_.capacity() * sizeof(Entry) +
           texts_.capacity();
  }

 private:
  static constexpr unsigned first_bits = 4;
  static constexpr std::size_t first_slots = std::size_t{1} << first_bits;

  struct Entry {
    std::uint64_t key;  ///< up to 8 bytes of text themselves, padded with zeros; else a hash
    std::uint64_t count;
    std::uint64_t offset;  ///< in texts_, of more than 8 bytes
    std::uint32_t length;
  };

  static std::uint64_t hash(std::string_view token) noexcept;
  static std::uint64_t key_of(std::string_view token) noexcept {
    if (token.size() > 8) return hash(token);
    std::uint64_t bytes;
    std::memcpy(&bytes, token.data(), sizeof bytes);
    return bytes & masks[token.size()];
  }
  std::size_t slot_of(std::uint64_t key) const noexcept {
    return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> shift_);
  }
  bool same(const Entry& entry, std::string_view token) const noexcept {
    if (entry.length != token.size()) return false;
    return entry.length <= 8 ||
           std::memcmp(texts_.data() + entry.offset, token.data(), entry.length) == 0;
  }
  void rehash();

  static constexpr std::uint64_t masks[9] = {0,
                                             0xFF,
                                             0xFFFF,
                                             0xFFFFFF,
                                             0xFFFFFFFF,
                                             0xFFFFFFFFFF,
                                             0xFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFF,
                                             0xFFFFFFFFFFFFFFFF};

  std::vector<std::uint32_t> slots_;  ///< open addressing, at most half full
  unsigned shift_;
  std::vector<Entry> entries_;
  std::vector<char> texts_;
};

}  // namespace atl::io
