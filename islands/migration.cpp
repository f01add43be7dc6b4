#include "islands/migration.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace atl {

std::map<int, std::vector<std::uint32_t>> destinations_by_rank(const Emigrants& emigrants,
                                                               const Placement& placement) {
  std::map<int, std::vector<std::uint32_t>> by_rank;
  for (const std::uint32_t to : emigrants.destinations) {
    by_rank[placement.rank_of(to)].push_back(to);
  }
  return by_rank;
}

Bytes encode(const Emigrants& emigrants, std::span<const std::uint32_t> destinations) {
  ByteWriter out;
  out.put(emigrants.island);
  out.put_all(destinations);
  out.put(static_cast<std::uint64_t>(emigrants.migrants.size()));
  for (const Migrant& migrant : emigrants.migrants) {
    out.put(migrant.slot);
    out.put_all(std::span<const std::byte>(*migrant.content));
  }
  return std::move(out).take();
}

Emigrants decode_emigrants(const Bytes& bytes) {
  constexpr std::size_t least_migrant_bytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);
  ByteReader in(bytes);
  Emigrants emigrants;
  emigrants.island = in.get<std::uint32_t>();
  emigrants.destinations = in.get_all<std::uint32_t>();
  for (std::size_t left = in.get_count(least_migrant_bytes); left > 0; --left) {
    const auto slot = in.get<std::uint32_t>();
    emigrants.migrants.push_back(
        {emigrants.island, slot, std::make_shared<const Bytes>(in.get_all<std::byte>())});
  }
  in.expect_end();
  return emigrants;
}

Arrivals::Arrivals(std::vector<Emigrants> emigrants) : emigrants_(std::move(emigrants)) {
  std::sort(emigrants_.begin(), emigrants_.end(),
            [](const Emigrants& a, const Emigrants& b) { return a.island < b.island; });
  for (std::uint32_t i = 0; i < emigrants_.size(); ++i) {
    for (const std::uint32_t to : emigrants_[i].destinations) order_.emplace_back(to, i);
  }
  std::sort(order_.begin(), order_.end());
}

std::vector<Migrant> Arrivals::at(std::uint32_t island) const {
  std::vector<Migrant> all;
  auto next = std::lower_bound(order_.begin(), order_.end(), std::pair(island, 0U));
  for (; next != order_.end() && next->first == island; ++next) {
    const auto& its = emigrants_[next->second].migrants;
    all.insert(all.end(), its.begin(), its.end());
  }
  return all;
}

Arrivals migrate(std::vector<Emigrants> local, const Placement& placement,
                 Communicator& communicator) {
  std::vector<Message> outgoing;
  std::vector<Emigrants> arrived;
  for (Emigrants& emigrants : local) {
    auto by_rank = destinations_by_rank(emigrants, placement);
    for (const auto& [rank, destinations] : by_rank) {
      if (rank != communicator.rank()) {
        outgoing.push_back({rank, encode(emigrants, destinations)});
      }
    }
    const auto own = by_rank.find(communicator.rank());
    if (own == by_rank.end()) continue;
    emigrants.destinations = std::move(own->second);
    arrived.push_back(std::move(emigrants));
  }
  for (const Message& message : communicator.exchange(std::move(outgoing))) {
    arrived.push_back(decode_emigrants(message.bytes));
  }
  return Arrivals(std::move(arrived));
}

}  // namespace atl
