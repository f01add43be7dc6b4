#include "islands/migration.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "islands/rule_bytes.hpp"

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
  out.put_all(std::span<const std::uint32_t>(emigrants.slots));
  for (const Individual& individual : emigrants.individuals) encode(out, individual);
  return std::move(out).take();
}

Emigrants decode_emigrants(const Bytes& bytes, const IslandGrammars& grammars) {
  ByteReader in(bytes);
  Emigrants emigrants;
  emigrants.island = in.get<std::uint32_t>();
  emigrants.grammar = &grammars.of(emigrants.island);
  emigrants.destinations = in.get_all<std::uint32_t>();
  emigrants.slots = in.get_all<std::uint32_t>();
  for (std::size_t i = 0; i < emigrants.slots.size(); ++i) {
    emigrants.individuals.push_back(decode_individual(in, *emigrants.grammar));
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

std::vector<Arrival> Arrivals::at(std::uint32_t island) const {
  std::vector<Arrival> arrivals;
  auto next = std::lower_bound(order_.begin(), order_.end(), std::pair(island, 0U));
  for (; next != order_.end() && next->first == island; ++next) {
    const Emigrants& from = emigrants_[next->second];
    for (std::size_t i = 0; i < from.slots.size(); ++i) {
      arrivals.push_back({from.island, from.slots[i], &from.individuals[i], from.grammar});
    }
  }
  return arrivals;
}

Arrivals migrate(std::vector<Emigrants> local, const IslandGrammars& grammars,
                 const Placement& placement, Communicator& communicator) {
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
    arrived.push_back(decode_emigrants(message.bytes, grammars));
  }
  return Arrivals(std::move(arrived));
}

}  // namespace atl
