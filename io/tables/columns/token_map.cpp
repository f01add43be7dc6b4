#include "io/tables/columns/token_map.hpp"

#include <algorithm>
#include <numeric>

#include <xxhash.h>

namespace atl::io {

std::uint64_t TokenMap::hash_of(std::string_view token) noexcept {
  return (XXH3_64bits(token.data(), token.size()) & ~std::uint64_t{0xFF}) | hash_mark;
}

std::uint32_t TokenMap::find_further(std::uint64_t key, std::string_view token) const noexcept {
  for (std::size_t at = slot_of(key);; at = (at + 1) & (slots_.size() - 1)) {
    const Slot& slot = slots_[at];
    if (slot.id == none) return none;
    if (slot.key == key && (!is_hash(key) || text(slot.id) == token)) return slot.id;
  }
}

std::uint32_t TokenMap::add(std::uint64_t key, std::string_view token) {
  const auto id = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({key, static_cast<std::uint32_t>(token.size())});
  rows_.push_back(0);
  if (token.size() > 8) {
    entries_.back().key = texts_.size();
    texts_.insert(texts_.end(), token.begin(), token.end());
    if (texts_.capacity() < texts_.size() + 8) texts_.reserve(texts_.size() * 2);
  }
  if (2 * entries_.size() > slots_.size()) enlarge();
  put({key, id});
  return id;
}

void TokenMap::put(const Slot& slot) noexcept {
  std::size_t at = slot_of(slot.key);
  while (slots_[at].id != none) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = slot;
}

void TokenMap::clear() {
  *this = TokenMap();
}

void TokenMap::enlarge() {
  std::vector<Slot> slots(slots_.size() * 2);
  slots_.swap(slots);
  --shift_;
  for (const Slot& slot : slots) {
    if (slot.id != none) put(slot);
  }
}

std::vector<std::uint32_t> TokenMap::sorted() const {
  std::vector<std::uint32_t> ids(entries_.size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::sort(ids.begin(), ids.end(),
            [&](std::uint32_t a, std::uint32_t b) { return text(a) < text(b); });
  return ids;
}

}  // namespace atl::io
