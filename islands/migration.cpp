#include "islands/migration.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "islands/run_state.hpp"

namespace atl {

namespace {

Bytes encode_migration(std::uint32_t to, const Emigrants& emigrants) {
  ByteWriter out;
  out.put(emigrants.island);
  out.put(to);
  out.put(static_cast<std::uint64_t>(emigrants.individuals.size()));
  for (const Individual& individual : emigrants.individuals) encode(out, individual);
  return std::move(out).take();
}

Migration decode_migration(const Bytes& bytes, const BoundGrammar& grammar) {
  ByteReader in(bytes);
  Migration migration;
  migration.from = in.get<std::uint32_t>();
  migration.to = in.get<std::uint32_t>();
  const std::size_t count = in.get_count(1);
  for (std::size_t i = 0; i < count; ++i) {
    migration.individuals.push_back(decode_individual(in, grammar));
  }
  in.expect_end();
  return migration;
}

}  // namespace

std::vector<Migration> migrate(const Sources& sources, std::uint32_t islands,
                               std::span<const Emigrants> local, const BoundGrammar& grammar,
                               Communicator& communicator) {
  std::vector<Message> outgoing;
  std::vector<Migration> arrived;
  for (std::uint32_t to = 0; to < islands; ++to) {
    const auto froms = sources(to, islands);
    for (const Emigrants& emigrants : local) {
      if (std::find(froms.begin(), froms.end(), emigrants.island) == froms.end()) continue;
      const int rank = rank_of(to, communicator.size());
      if (rank == communicator.rank()) {
        arrived.push_back({emigrants.island, to, emigrants.individuals});
      } else {
        outgoing.push_back({rank, encode_migration(to, emigrants)});
      }
    }
  }
  for (const Message& message : communicator.exchange(std::move(outgoing))) {
    arrived.push_back(decode_migration(message.bytes, grammar));
  }
  std::sort(arrived.begin(), arrived.end(), [](const Migration& a, const Migration& b) {
    return std::tie(a.to, a.from) < std::tie(b.to, b.from);
  });
  return arrived;
}

void immigrate(std::vector<Individual>& population, std::vector<Individual> immigrants) {
  std::size_t residents = population.size();
  for (Individual& immigrant : immigrants) {
    if (residents == 0) break;
    const bool known = std::any_of(
        population.begin(), population.end(),
        [&](const Individual& individual) { return individual.rule == immigrant.rule; });
    if (!known) population[--residents] = std::move(immigrant);
  }
}

}  // namespace atl
