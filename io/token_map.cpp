#include "io/token_map.hpp"

#include <algorithm>
#include <numeric>

#include <xxhash.h>

namespace atl::io {

std::uint64_t TokenMap::hash(std::string_view token) noexcept {
  return XXH3_64bits(token.data(), token.size());
}

std::uint32_t TokenMap::add(std::string_view token) {
  Entry entry{key_of(token), 0, 0, static_cast<std::uint32_t>(token.size())};
  if (token.size() > 8) {
    entry.offset = texts_.size();
    texts_.insert(texts_.end(), token.begin(), token.end());
    if (texts_.capacity() < texts_.size() + 8) texts_.reserve(texts_.size() * 2);
  }
  const auto id = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back(entry);
  if (2 * entries_.size() > slots_.size()) {
    rehash();
    return id;
  }
  std::size_t slot = slot_of(entry.key);
  while (slots_[slot] != none) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = id;
  return id;
}

void TokenMap::clear() {
  *this = TokenMap();
}

void TokenMap::rehash() {
  slots_.assign(slots_.size() * 2, none);
  --shift_;
  for (std::uint32_t id = 0; id < entries_.size(); ++id) {
    std::size_t slot = slot_of(entries_[id].key);
    while (slots_[slot] != none) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = id;
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
