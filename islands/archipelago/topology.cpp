#include "islands/archipelago/topology.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/core/random.hpp"

namespace atl {
namespace {

/// Columns of the grid nearest to a square that has so many places.
std::uint32_t columns_of(std::uint32_t islands) {
  auto rows = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(islands)));
  while (islands % rows != 0) --rows;
  return islands / rows;
}

/// Corners beside one of a hypercube, which may lack corners.
std::vector<std::uint32_t> corners_beside(std::uint32_t island, std::uint32_t count) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t bit = 1; bit < count; bit <<= 1) {
    if ((island ^ bit) < count) found.push_back(island ^ bit);
  }
  return found;
}

std::vector<std::uint32_t> all_of(std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// @param edges  sorted
std::vector<std::uint32_t> ends_of_edges(const std::vector<Edge>& edges, std::uint32_t island) {
  std::vector<std::uint32_t> found;
  auto edge = std::lower_bound(edges.begin(), edges.end(), Edge{island, 0});
  for (; edge != edges.end() && edge->from == island; ++edge) found.push_back(edge->to);
  return found;
}

}  // namespace

Topology::Topology(const Experiment& experiment)
    : experiment_(experiment), choice_(parse_topology(experiment.topology)) {
  if (choice_.kind == TopologyKind::torus) columns_ = columns_of(experiment.islands);
  for (const Edge& edge : experiment.edges) backward_.push_back({edge.to, edge.from});
  std::sort(backward_.begin(), backward_.end());
}

std::vector<std::vector<std::uint32_t>> Topology::destinations(
    std::span<const std::uint32_t> senders, std::uint32_t generation) const {
  std::vector<std::vector<std::uint32_t>> lists(senders.size());
  if (is_static()) {
    for (std::size_t i = 0; i < senders.size(); ++i) {
      lists[i] = neighbours(senders[i], Direction::to);
    }
    return lists;
  }
  // Islands draw whom they take from, so all draws have to be looked at.
  std::vector<std::vector<std::uint32_t>*> list_of(experiment_.islands, nullptr);
  for (std::size_t i = 0; i < senders.size(); ++i) list_of[senders[i]] = &lists[i];
  std::vector<bool> taken(experiment_.islands, false);
  for (std::uint32_t to = 0; to < experiment_.islands; ++to) {
    for (const std::uint32_t from : drawn_sources(to, generation, taken)) {
      if (list_of[from] != nullptr) list_of[from]->push_back(to);
    }
  }
  return lists;
}

std::vector<std::vector<std::uint32_t>> Topology::sources(std::span<const std::uint32_t> receivers,
                                                          std::uint32_t generation) const {
  std::vector<std::vector<std::uint32_t>> lists;
  std::vector<bool> taken(experiment_.islands, false);
  for (const std::uint32_t island : receivers) {
    if (is_static()) {
      lists.push_back(neighbours(island, Direction::from));
      continue;
    }
    lists.push_back(drawn_sources(island, generation, taken));
    std::sort(lists.back().begin(), lists.back().end());
  }
  return lists;
}

std::vector<std::uint32_t> Topology::linked(std::uint32_t island, Direction direction) const {
  const std::uint32_t count = experiment_.islands;
  switch (choice_.kind) {
    case TopologyKind::none:
    case TopologyKind::random:
      return {};
    case TopologyKind::ring:
      return {(island + (direction == Direction::to ? 1 : count - 1)) % count};
    case TopologyKind::two_way_ring:
      return {(island + 1) % count, (island + count - 1) % count};
    case TopologyKind::torus: {
      const std::uint32_t row = island - island % columns_;
      const std::uint32_t column = island % columns_;
      return {row + (column + 1) % columns_, row + (column + columns_ - 1) % columns_,
              (island + columns_) % count, (island + count - columns_) % count};
    }
    case TopologyKind::hypercube:
      return corners_beside(island, count);
    case TopologyKind::star:
      return island == 0 ? all_of(count) : std::vector<std::uint32_t>{0};
    case TopologyKind::complete:
      return all_of(count);
    case TopologyKind::edges:
      return ends_of_edges(direction == Direction::to ? experiment_.edges : backward_, island);
  }
  return {};
}

std::vector<std::uint32_t> Topology::neighbours(std::uint32_t island, Direction direction) const {
  std::vector<std::uint32_t> found = linked(island, direction);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase(found, island);
  return found;
}

// Draws as many others as wanted, each set of them equally likely (Floyd; Bentley 1987,
// "Programming pearls: a sample of brilliance").
std::vector<std::uint32_t> Topology::drawn_sources(std::uint32_t island, std::uint32_t generation,
                                                   std::vector<bool>& taken) const {
  RandomStream draw({experiment_.seed, island, generation, 0, Purpose::connect});
  const std::uint32_t others = experiment_.islands - 1;
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t last = others - choice_.sources; last < others; ++last) {
    const auto drawn = static_cast<std::uint32_t>(draw.below(last + std::uint64_t{1}));
    chosen.push_back(taken[drawn] ? last : drawn);
    taken[chosen.back()] = true;
  }
  for (std::uint32_t& other : chosen) {
    taken[other] = false;
    other += other >= island ? 1U : 0U;
  }
  return chosen;
}

}  // namespace atl
