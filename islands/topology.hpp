// Which islands send emigrants to which.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace atl {

/// A topology is any type that tells the islands, ascending and without the island itself, from
/// which one of `count` islands takes immigrants.
template <typename T>
concept Topology = requires(const T topology, std::uint32_t number) {
  { topology.sources(number, number) } -> std::same_as<std::vector<std::uint32_t>>;
};

/// Each island receives from the one before it, the first from the last.
struct Ring {
  std::vector<std::uint32_t> sources(std::uint32_t island, std::uint32_t count) const;
};
static_assert(Topology<Ring>);

using Sources =
    std::function<std::vector<std::uint32_t>(std::uint32_t island, std::uint32_t count)>;

/// sources() of the topology of that name. @throws UsageError listing the known ones
Sources topology_named(const std::string& name);

}  // namespace atl
