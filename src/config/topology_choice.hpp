// The choice of which islands send emigrants to which, as an experiment says it.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

enum class TopologyKind : std::uint8_t {
  none,
  ring,
  two_way_ring,
  torus,
  hypercube,
  star,
  complete,
  random,
  edges,
};

struct TopologyChoice {
  TopologyKind kind = TopologyKind::ring;
  std::uint32_t sources = 0;  ///< of each island, if random
};

/// "none, ring, ...", without "edges".
std::string topology_names();

/// "ring", "random:3" and so on. @throws UsageError listing what there is
TopologyChoice parse_topology(std::string_view text);

/// An island that sends, and one that receives.
struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

/// Two numbers of islands a line, from and to; # begins a comment.
/// @return ascending
/// @throws BadData naming file and line, also for an edge that is there twice or goes nowhere else
std::vector<Edge> parse_edges(std::string_view text, const std::string& file);

}  // namespace atl
