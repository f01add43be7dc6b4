#include "islands/rule_bytes.hpp"

#include <cmath>
#include <utility>

#include "islands/archipelago/run_sections.hpp"

namespace atl {
namespace {

// Bytes of a node: symbol, production, size, comparison.
constexpr std::size_t node_bytes = 6 * sizeof(std::uint32_t) + 1;
constexpr std::size_t least_individual_bytes = sizeof(std::uint64_t) + node_bytes;

TargetMoments get_moments(ByteReader& in) {
  TargetMoments target;
  const auto side = in.get<std::uint8_t>();
  require_bytes(side <= static_cast<std::uint8_t>(TargetMoments::Side::low),
                "a target's side is unknown");
  target.side = static_cast<TargetMoments::Side>(side);
  if (target.side == TargetMoments::Side::none) return target;
  for (double* moment : {&target.mean, &target.mean_rest, &target.mean_all, &target.deviation_all,
                         &target.deviation}) {
    *moment = in.get<double>();
    require_bytes(std::isfinite(*moment), "a target's moment is no number");
  }
  return target;
}

void put(ByteWriter& out, const Derivation& derivation) {
  out.put(static_cast<std::uint64_t>(derivation.size()));
  for (const DerivationNode& node : derivation) {
    out.put(node.symbol);
    out.put(node.production);
    out.put(node.size);
    out.put(node.comparison.attribute);
    out.put(node.comparison.low);
    out.put(node.comparison.high);
    out.put(static_cast<std::uint8_t>(node.comparison.negated));
  }
}

Derivation get_derivation(ByteReader& in) {
  Derivation derivation(in.get_count(node_bytes));
  for (DerivationNode& node : derivation) {
    node.symbol = in.get<std::uint32_t>();
    node.production = in.get<std::uint32_t>();
    node.size = in.get<std::uint32_t>();
    node.comparison.attribute = in.get<std::uint32_t>();
    node.comparison.low = in.get<std::uint32_t>();
    node.comparison.high = in.get<std::uint32_t>();
    node.comparison.negated = in.get_flag();
  }
  return derivation;
}

}  // namespace

std::span<const std::byte> OwnState::of_version(std::uint32_t wanted) const {
  require_bytes(version == wanted, "what the algorithm keeps is of another version of atoll");
  return bytes;
}

void encode(ByteWriter& out, const IslandState& state, const OwnState& own) {
  encode(out, state.population);
  out.put(own.version);
  out.put_all(std::span<const std::byte>(own.bytes));
}

SavedIsland decode_island(ByteReader& in, std::uint32_t island, const BoundGrammar& grammar) {
  SavedIsland saved;
  saved.state.island = island;
  saved.state.population = decode_individuals(in, grammar);
  saved.own.version = in.get<std::uint32_t>();
  saved.own.bytes = in.get_all<std::byte>();
  return saved;
}

Section section_of(const IslandState& state, const OwnState& own) {
  ByteWriter out;
  encode(out, state, own);
  return {island_section(state.island), island_state_version, std::move(out).take()};
}

SavedIsland island_of(const RunState& run, std::uint32_t island, const BoundGrammar& grammar) {
  ByteReader in(run.section(island_section(island), island_state_version));
  SavedIsland saved = decode_island(in, island, grammar);
  in.expect_end();
  return saved;
}

void encode(ByteWriter& out, const ContingencyTable& table) {
  out.put(table.n);
  out.put(table.n_antecedent);
  out.put(table.n_consequent);
  out.put(table.n_both);
  out.put(table.n_general_antecedent);
  out.put(table.n_general_both);
  const TargetMoments& target = table.target;
  out.put(target.side);
  if (target.side == TargetMoments::Side::none) return;
  for (const double moment :
       {target.mean, target.mean_rest, target.mean_all, target.deviation_all, target.deviation}) {
    out.put(moment);
  }
}

ContingencyTable decode_table(ByteReader& in) {
  ContingencyTable table;
  table.n = in.get<std::uint64_t>();
  table.n_antecedent = in.get<std::uint64_t>();
  table.n_consequent = in.get<std::uint64_t>();
  table.n_both = in.get<std::uint64_t>();
  table.n_general_antecedent = in.get<std::uint64_t>();
  table.n_general_both = in.get<std::uint64_t>();
  // More is no number of rows, and no double holds it.
  require_bytes(table.n < std::uint64_t{1} << 53, "there are more rows than any table has");
  require_bytes(table.n_antecedent <= table.n && table.n_consequent <= table.n &&
                    table.n_both <= table.n_antecedent && table.n_both <= table.n_consequent &&
                    table.n_antecedent - table.n_both <= table.n - table.n_consequent &&
                    table.n_general_both <= table.n_general_antecedent &&
                    table.n_general_antecedent <= table.n,
                "counts contradict each other");
  table.target = get_moments(in);
  return table;
}

void encode(ByteWriter& out, const Individual& individual) {
  put(out, individual.derivation);
  encode(out, individual.statistics.table);
  out.put(individual.statistics.missing_consequent);
  out.put_all(std::span<const std::uint64_t>(individual.statistics.comparison_supports));
}

Individual decode_individual(ByteReader& in, const BoundGrammar& grammar) {
  Individual individual;
  individual.derivation = get_derivation(in);
  require_bytes(grammar.accepts(individual.derivation), "an individual is outside the grammar");
  individual.stand_for_derivation(grammar);
  individual.statistics.table = decode_table(in);
  individual.statistics.missing_consequent = in.get<std::uint64_t>();
  individual.statistics.comparison_supports = in.get_all<std::uint64_t>();
  const std::size_t supports = individual.statistics.comparison_supports.size();
  require_bytes(supports == 0 || supports == individual.rule.comparisons(),
                "an individual has more or fewer supports than comparisons");
  return individual;
}

void encode(ByteWriter& out, std::span<const Individual> individuals) {
  out.put(static_cast<std::uint64_t>(individuals.size()));
  for (const Individual& individual : individuals) encode(out, individual);
}

std::vector<Individual> decode_individuals(ByteReader& in, const BoundGrammar& grammar) {
  std::vector<Individual> individuals(in.get_count(least_individual_bytes));
  for (Individual& individual : individuals) individual = decode_individual(in, grammar);
  return individuals;
}

}  // namespace atl
