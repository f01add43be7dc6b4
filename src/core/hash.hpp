// 128-bit content hash (XXH3-128) used for fingerprints and file trailers; seed 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "src/core/bytes.hpp"

namespace atl {

struct Hash128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

/// The low half first.
inline void put(ByteWriter& out, const Hash128& hash) {
  out.put(hash.low);
  out.put(hash.high);
}
inline Hash128 get_hash(ByteReader& in) {
  const auto low = in.get<std::uint64_t>();
  return {low, in.get<std::uint64_t>()};
}

/// 32 lower-case hexadecimal digits, high half first (XXH128's canonical form).
std::string to_hex(const Hash128& hash);

/// Incremental XXH3-128.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;

  void update(std::span<const std::byte> bytes);
  /// The text's bytes preceded by their number as u64 little-endian, so that lists are unambiguous.
  void update_text(std::string_view text);
  void update_u64(std::uint64_t value);
  Hash128 digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Hash128 hash_bytes(std::span<const std::byte> bytes);

/// Fingerprint of a dataset; io/FORMAT.md defines what it covers.
using Fingerprint = Hash128;

}  // namespace atl
