#include "islands/topology.hpp"

#include "src/core/error.hpp"

namespace atl {

namespace {

template <Topology T>
Sources sources_of(T topology) {
  return [topology](std::uint32_t island, std::uint32_t count) {
    return topology.sources(island, count);
  };
}

}  // namespace

std::vector<std::uint32_t> Ring::sources(std::uint32_t island, std::uint32_t count) const {
  if (count < 2) return {};
  return {(island + count - 1) % count};
}

Sources topology_named(const std::string& name) {
  if (name == "ring") return sources_of(Ring{});
  throw UsageError("unknown topology '" + name + "': expected ring");
}

}  // namespace atl
