#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <hwy/cache_control.h>

namespace atl::io {

/// Distinct tokens of a column, each with a count; ids in the order in which they were added.
/// Tokens hold no NUL bytes, and 8 bytes must be readable from their start, however short they are
/// (true of every std::string and of RowBlock's fields).
class TokenMap {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  TokenMap() : slots_(first_slots), shift_(64 - first_bits) {}

  /// What a token is found by, in any map.
  static std::uint64_t key_of(std::string_view token) noexcept {
    return token.size() <= 8 ? short_key(token) : long_key(token);
  }
  /// Has memory fetch what find() looks at first.
  void fetch(std::uint64_t key) const noexcept { hwy::Prefetch(&slots_[slot_of(key)]); }
  /// The token's id, or none. @param key  key_of(token)
  std::uint32_t find(std::uint64_t key, std::string_view token) const noexcept {
    const Slot& slot = slots_[slot_of(key)];
    if (slot.key == key && !is_hash(key)) return slot.id;
    return slot.id == none ? none : find_further(key, token);
  }
  std::uint32_t find(std::string_view token) const noexcept { return find(key_of(token), token); }
  /// Adds a token. @return its id from now on; the count is 0.
  /// @param key  key_of(token)
  /// @pre find(token) == none, size() < none
  std::uint32_t add(std::uint64_t key, std::string_view token);
  std::uint32_t add(std::string_view token) { return add(key_of(token), token); }
  void count(std::uint32_t id, std::uint64_t rows = 1) noexcept { rows_[id] += rows; }
  void clear();

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(entries_.size()); }
  /// The text of a token. It is valid until the next add() or clear(); 8 bytes readable as above.
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

  /// A key is the up to 8 bytes of a token, padded with zeros. The lowest byte of others is 0. Of
  /// up to 13 digits, points, signs and the like it holds these, in 4 bits each, and their number
  /// in the highest 4, which is below 8. That of any other token is a hash, whose highest bit is 1.
  /// No token at all has no_key.
  static constexpr std::uint64_t no_key = 0x100;
  static constexpr std::uint64_t hash_mark = std::uint64_t{1} << 63;
  static bool is_hash(std::uint64_t key) noexcept {
    return (key & (hash_mark | 0xFF)) == hash_mark;
  }
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
  /// @pre token.size() > 8
  static std::uint64_t long_key(std::string_view token) noexcept {
    static constexpr std::size_t most = 13;
    if (token.size() > most) return hash_of(token);
    std::uint64_t first, last;  // bytes, some of them in both
    std::memcpy(&first, token.data(), sizeof first);
    std::memcpy(&last, token.data() + token.size() - sizeof last, sizeof last);
    // From '+' to ':' there are 16 characters. What is below borrows, and becomes more than 15.
    first -= 0x2B2B2B2B2B2B2B2B;
    last -= 0x2B2B2B2B2B2B2B2B;
    if (((first | last) & 0xF0F0F0F0F0F0F0F0) != 0) return hash_of(token);
    const std::uint64_t further = token.size() - 8;
    return further << 60 | halved(last) >> (32 - 4 * further) << 40 | halved(first) << 8;
  }
  static std::uint64_t hash_of(std::string_view token) noexcept;
  /// The lower halves of eight bytes, whose upper ones are 0.
  static std::uint64_t halved(std::uint64_t bytes) noexcept {
    bytes = (bytes | bytes >> 4) & 0x00FF00FF00FF00FF;
    bytes = (bytes | bytes >> 8) & 0x0000FFFF0000FFFF;
    return (bytes | bytes >> 16) & 0xFFFFFFFF;
  }
  std::size_t slot_of(std::uint64_t key) const noexcept {
    // This factor had the fewest collisions among small whole numbers, of 20,000 random ones. Of
    // longer tokens the last bytes should tell as much as the first.
    return static_cast<std::size_t>(((key ^ key >> 32) * 0x724E93760A1EB9CDULL) >> shift_);
  }
  std::uint32_t find_further(std::uint64_t key, std::string_view token) const noexcept;
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

/// Visits the tokens of a column, which are `stride` apart, each with its key. If the map has more
/// tokens than these, most have not been looked for lately: then memory fetches what finds them for
/// some at once.
/// @param visit  of the key and the token; it may add to the map
template <typename Visit>
void visit_keys(const TokenMap& tokens, const std::string_view* column, std::size_t stride,
                std::size_t count, Visit visit) {
  if (tokens.size() <= count) {
    for (std::size_t i = 0; i < count; ++i, column += stride) {
      visit(TokenMap::key_of(*column), *column);
    }
    return;
  }
  constexpr std::size_t most = 32;
  std::uint64_t keys[most];
  while (count > 0) {
    const std::size_t some = std::min(count, most);
    for (std::size_t i = 0; i < some; ++i) {
      keys[i] = TokenMap::key_of(column[i * stride]);
      tokens.fetch(keys[i]);
    }
    for (std::size_t i = 0; i < some; ++i, column += stride) visit(keys[i], *column);
    count -= some;
  }
}

}  // namespace atl::io
