#include "src/core/hash.hpp"

#include <bit>
#include <new>

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

namespace atl {

static_assert(std::endian::native == std::endian::little, "files and hashes are little-endian");

struct Hasher::State {
  State() : xxh(XXH3_createState()) {
    if (xxh == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(xxh);
  }
  ~State() { XXH3_freeState(xxh); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  XXH3_state_t* xxh;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::update(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_->xxh, bytes.data(), bytes.size());
}

void Hasher::update_text(std::string_view text) {
  update_u64(text.size());
  update(std::as_bytes(std::span(text.data(), text.size())));
}

void Hasher::update_u64(std::uint64_t value) {
  update(std::as_bytes(std::span(&value, 1)));
}

Hash128 Hasher::digest() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh);
  return {hash.low64, hash.high64};
}

Hash128 hash_bytes(std::span<const std::byte> bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::string to_hex(const Hash128& hash) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  for (const std::uint64_t half : {hash.high, hash.low}) {
    for (int shift = 60; shift >= 0; shift -= 4) out += digits[(half >> shift) & 15];
  }
  return out;
}

}  // namespace atl
