#include "islands/archipelago/migration.hpp"

namespace atl {

void encode(ByteWriter& out, const Emigrants& emigrants,
            std::span<const std::uint32_t> destinations) {
  out.put(emigrants.island);
  out.put(emigrants.generation);
  out.put_all(destinations);
  out.put(static_cast<std::uint64_t>(emigrants.migrants.size()));
  for (const Migrant& migrant : emigrants.migrants) {
    out.put(migrant.slot);
    out.put_all(std::span<const std::byte>(*migrant.content));
  }
}

Emigrants decode_emigrants(ByteReader& in) {
  constexpr std::size_t least_migrant_bytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);
  Emigrants emigrants;
  emigrants.island = in.get<std::uint32_t>();
  emigrants.generation = in.get<std::uint32_t>();
  emigrants.destinations = in.get_all<std::uint32_t>();
  for (std::size_t left = in.get_count(least_migrant_bytes); left > 0; --left) {
    const auto slot = in.get<std::uint32_t>();
    emigrants.migrants.push_back(
        {emigrants.island, slot, std::make_shared<const Bytes>(in.get_all<std::byte>())});
  }
  return emigrants;
}

}  // namespace atl
