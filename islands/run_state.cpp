#include "islands/run_state.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "islands/operators.hpp"
#include "src/config/experiment.hpp"
#include "src/results/niche.hpp"

namespace atl {

namespace {

void require(bool condition, const char* problem) {
  if (!condition) throw BadBytes(problem);
}

bool get_flag(ByteReader& in) {
  const auto byte = in.get<std::uint8_t>();
  require(byte <= 1, "a flag is neither 0 nor 1");
  return byte == 1;
}

void put(ByteWriter& out, const Hash128& hash) {
  out.put(hash.low);
  out.put(hash.high);
}

Hash128 get_hash(ByteReader& in) {
  const auto low = in.get<std::uint64_t>();
  return {low, in.get<std::uint64_t>()};
}

void put(ByteWriter& out, const ContingencyTable& table) {
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

TargetMoments get_moments(ByteReader& in) {
  TargetMoments target;
  const auto side = in.get<std::uint8_t>();
  require(side <= static_cast<std::uint8_t>(TargetMoments::Side::low),
          "a target's side is unknown");
  target.side = static_cast<TargetMoments::Side>(side);
  if (target.side == TargetMoments::Side::none) return target;
  for (double* moment : {&target.mean, &target.mean_rest, &target.mean_all, &target.deviation_all,
                         &target.deviation}) {
    *moment = in.get<double>();
    require(std::isfinite(*moment), "a target's moment is no number");
  }
  return target;
}

ContingencyTable get_table(ByteReader& in) {
  ContingencyTable table;
  table.n = in.get<std::uint64_t>();
  table.n_antecedent = in.get<std::uint64_t>();
  table.n_consequent = in.get<std::uint64_t>();
  table.n_both = in.get<std::uint64_t>();
  table.n_general_antecedent = in.get<std::uint64_t>();
  table.n_general_both = in.get<std::uint64_t>();
  // More is no number of rows, and no double holds it.
  require(table.n < std::uint64_t{1} << 53, "there are more rows than any table has");
  require(table.n_antecedent <= table.n && table.n_consequent <= table.n &&
              table.n_both <= table.n_antecedent && table.n_both <= table.n_consequent &&
              table.n_antecedent - table.n_both <= table.n - table.n_consequent &&
              table.n_general_both <= table.n_general_antecedent &&
              table.n_general_antecedent <= table.n,
          "counts contradict each other");
  table.target = get_moments(in);
  return table;
}

// Bytes of a node: symbol, production, size, comparison.
constexpr std::size_t node_bytes = 6 * sizeof(std::uint32_t) + 1;
// Least bytes of what is preceded by its number, which bounds the number.
constexpr std::size_t least_individual_bytes = sizeof(std::uint64_t) + node_bytes;
constexpr std::size_t least_island_bytes = 2 * sizeof(std::uint64_t);
constexpr std::size_t least_record_bytes = 6 * sizeof(std::uint64_t) + 1;  // its table
constexpr std::size_t least_row_bytes = 4 * sizeof(std::uint64_t);

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
    node.comparison.negated = get_flag(in);
  }
  return derivation;
}

void put(ByteWriter& out, std::span<const Individual> individuals) {
  out.put(static_cast<std::uint64_t>(individuals.size()));
  for (const Individual& individual : individuals) encode(out, individual);
}

std::vector<Individual> get_individuals(ByteReader& in, const BoundGrammar& grammar) {
  std::vector<Individual> individuals(in.get_count(least_individual_bytes));
  for (Individual& individual : individuals) individual = decode_individual(in, grammar);
  return individuals;
}

void put(ByteWriter& out, const RuleRecord& record) {
  encode(out, record.rule);
  put(out, record.table);
  out.put(record.missing_consequent);
  out.put(record.generation);
  out.put(record.island);
  out.put(record.bucket);
}

RuleRecord get_record(ByteReader& in, std::span<const Attribute> attributes) {
  RuleRecord record;
  record.rule = decode_rule(in, attributes);
  const std::size_t comparisons =
      record.rule.antecedent.comparisons().size() + record.rule.consequent.comparisons().size();
  require(comparisons <= most_rule_comparisons,
          "an archived rule has more comparisons than any may");
  // At most one negation of each comparison and each connective, or the canonical form takes long.
  require(symbols(record.rule) < 6 * comparisons, "an archived rule has idle negations");
  require(record.rule == canonical(record.rule, attributes),
          "an archived rule is not in canonical form");
  record.table = get_table(in);
  record.missing_consequent = in.get<std::uint64_t>();
  record.generation = in.get<std::uint32_t>();
  record.island = in.get<std::uint32_t>();
  record.bucket = in.get<std::uint32_t>();
  return record;
}

void put(ByteWriter& out, const Archive& archive) {
  out.put(archive.by());
  out.put(static_cast<std::uint64_t>(archive.capacity()));
  out.put(static_cast<std::uint64_t>(archive.per_bucket()));
  const std::vector<RuleRecord> rules = archive.rules();
  out.put(static_cast<std::uint64_t>(rules.size()));
  for (const RuleRecord& record : rules) put(out, record);
}

Archive get_archive(ByteReader& in, std::span<const Attribute> attributes) {
  const auto by = in.get<std::underlying_type_t<Measure>>();
  const auto known = measures();
  const bool orders = std::any_of(known.begin(), known.end(), [by](const MeasureInfo& m) {
    return m.steers && static_cast<std::underlying_type_t<Measure>>(m.measure) == by;
  });
  require(orders, "the archive's measure is none that orders archives");
  const auto capacity = in.get<std::uint64_t>();
  Archive archive(static_cast<Measure>(by), capacity, in.get<std::uint64_t>());
  const std::size_t count = in.get_count(least_record_bytes);
  std::vector<Rule> order;
  for (std::size_t i = 0; i < count; ++i) {
    const RuleRecord record = get_record(in, attributes);
    archive.offer(record, niche(record, attributes));
    order.push_back(record.rule);
  }
  // One that lost a rule or put one elsewhere was not written by us.
  const std::vector<RuleRecord> rules = archive.rules();
  require(std::equal(rules.begin(), rules.end(), order.begin(), order.end(),
                     [](const RuleRecord& a, const Rule& b) { return a.rule == b; }),
          "the archive is out of order");
  // Of one with two tables the archive holds both, and their places are not told by the rule.
  std::sort(order.begin(), order.end());
  require(std::adjacent_find(order.begin(), order.end()) == order.end(),
          "the archive has a rule twice");
  return archive;
}

void put(ByteWriter& out, const HistoryRow& row) {
  out.put(row.generation);
  out.put(row.island);
  out.put(row.evaluated);
  out.put(row.feasible);
  out.put_all(std::span<const double>(row.best));
  out.put_all(std::span<const double>(row.mean));
  out.put(row.mean_comparisons);
}

HistoryRow get_row(ByteReader& in) {
  HistoryRow row;
  row.generation = in.get<std::uint32_t>();
  row.island = in.get<std::uint32_t>();
  row.evaluated = in.get<std::uint64_t>();
  row.feasible = in.get<std::uint64_t>();
  row.best = in.get_all<double>();
  row.mean = in.get_all<double>();
  row.mean_comparisons = in.get<double>();
  require(row.best.size() == row.mean.size(), "a history row has as many best as mean values");
  return row;
}

void put(ByteWriter& out, const RunStateHeader& header) {
  out.put(header.version);
  put(out, header.experiment);
  put(out, header.dataset);
  out.put(header.generation);
  out.put(header.seconds);
  out.put(header.jobs);
  out.put(static_cast<std::uint8_t>(header.finished));
}

RunStateHeader get_header(ByteReader& in) {
  RunStateHeader header;
  header.version = in.get<CheckpointVersion>();
  require(header.version >= CheckpointVersion::initial, "the version is 0");
  require(header.version <= CheckpointVersion::latest,
          "it was written by a newer version of atoll");
  require(header.version == CheckpointVersion::latest,
          "it was written by an older version of atoll, which searched otherwise");
  header.experiment = get_hash(in);
  header.dataset = get_hash(in);
  header.generation = in.get<std::uint32_t>();
  header.seconds = in.get<double>();
  require(std::isfinite(header.seconds) && header.seconds >= 0, "the time spent is no number");
  header.jobs = in.get<std::uint32_t>();
  header.finished = get_flag(in);
  return header;
}

}  // namespace

void encode(ByteWriter& out, const Individual& individual) {
  put(out, individual.derivation);
  put(out, individual.counts.table);
  out.put(individual.counts.missing_consequent);
  out.put_all(std::span<const std::uint64_t>(individual.counts.comparison_supports));
}

Individual decode_individual(ByteReader& in, const BoundGrammar& grammar) {
  Individual individual;
  individual.derivation = get_derivation(in);
  require(grammar.accepts(individual.derivation), "an individual is outside the grammar");
  individual.stand_for(grammar.rule(individual.derivation));
  individual.counts.table = get_table(in);
  individual.counts.missing_consequent = in.get<std::uint64_t>();
  individual.counts.comparison_supports = in.get_all<std::uint64_t>();
  const std::size_t supports = individual.counts.comparison_supports.size();
  require(supports == 0 || supports == individual.rule.comparisons(),
          "an individual has more or fewer supports than comparisons");
  return individual;
}

Bytes encode(const RunState& state) {
  ByteWriter out;
  put(out, state.header);
  out.put(static_cast<std::uint64_t>(state.islands.size()));
  for (const IslandState& island : state.islands) {
    out.put(island.island);
    put(out, island.population);
    put(out, island.pool);
    out.put_all(std::span<const double>(island.success));
    out.put_all(std::span<const std::uint32_t>(island.covered));
    out.put(island.replaced);
    out.put(static_cast<std::uint8_t>(island.stagnant));
  }
  put(out, state.archive);
  out.put(static_cast<std::uint64_t>(state.history.size()));
  for (const HistoryRow& row : state.history) put(out, row);
  return std::move(out).take();
}

RunStateHeader decode_header(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  return get_header(in);
}

RunState decode_run_state(std::span<const std::byte> bytes, const IslandGrammars& grammars) {
  ByteReader in(bytes);
  RunState state;
  state.header = get_header(in);
  const std::size_t islands = in.get_count(least_island_bytes);
  for (std::size_t i = 0; i < islands; ++i) {
    IslandState island;
    island.island = in.get<std::uint32_t>();
    require(i == 0 || state.islands.back().island < island.island, "islands are out of order");
    const BoundGrammar& grammar = grammars.of(island.island);
    island.population = get_individuals(in, grammar);
    island.pool = get_individuals(in, grammar);
    island.success = in.get_all<double>();
    require(island.success.empty() || island.success.size() == operations,
            "an island has rates of unknown operations");
    for (const double rate : island.success) {
      require(rate >= 0 && rate <= 1, "the success of an operation is no share");
    }
    island.covered = in.get_all<std::uint32_t>();
    island.replaced = in.get<std::uint32_t>();
    island.stagnant = get_flag(in);
    state.islands.push_back(std::move(island));
  }
  state.archive = get_archive(in, grammars.attributes());
  const std::size_t rows = in.get_count(least_row_bytes);
  for (std::size_t i = 0; i < rows; ++i) {
    HistoryRow row = get_row(in);
    require(i == 0 || precedes(state.history.back(), row), "the history is out of order");
    state.history.push_back(std::move(row));
  }
  in.expect_end();
  return state;
}

}  // namespace atl
