// Everything a run needs to go on as if it had never stopped, and its bytes.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "islands/archive.hpp"
#include "islands/individual.hpp"
#include "src/core/bytes.hpp"
#include "src/core/hash.hpp"
#include "src/eval/coverage_table.hpp"

namespace atl {

/// The grammar of each island. The grammars must outlive it.
class IslandGrammars {
 public:
  /// The same for all.
  IslandGrammars(const BoundGrammar& grammar) : from_({{0, &grammar}}) {}
  /// By the first of the islands that it is for, up to the next, as Experiment::by_island().
  explicit IslandGrammars(const std::map<std::uint32_t, BoundGrammar>& from) {
    for (const auto& [island, grammar] : from) from_.emplace(island, &grammar);
  }

  const BoundGrammar& of(std::uint32_t island) const noexcept {
    return *std::prev(from_.upper_bound(island))->second;
  }
  std::span<const Attribute> attributes() const noexcept { return of(0).attributes(); }
  const std::map<std::uint32_t, const BoundGrammar*>& by_first_island() const noexcept {
    return from_;
  }

 private:
  std::map<std::uint32_t, const BoundGrammar*> from_;
};

/// Append only: a number once used keeps its meaning.
enum class CheckpointVersion : std::uint32_t {
  initial = 1,
  coverage_niches = 2,
  numeric_targets = 3,
  neighbourhoods = 4,
  latest = neighbourhoods
};

struct IslandState {
  std::uint32_t island = 0;
  std::vector<Individual> population;  ///< evaluated, in slot order
  std::vector<Individual> pool;        ///< g3parm's pool of good rules; empty for others
  // pareto's, empty for others
  std::vector<double> success;         ///< [operations] share of an operation's children that won
  std::vector<std::uint32_t> covered;  ///< [rows of the sample] good rules of former populations
  std::uint32_t replaced = 0;          ///< since stagnation was last looked for
  bool stagnant = false;               ///< the next generation begins anew
  CoverageTable coverage;              ///< of the population; computed, not in the bytes
};

/// A line of history.csv: one island after one generation.
struct HistoryRow {
  std::uint32_t generation = 0;
  std::uint32_t island = 0;
  std::uint64_t evaluated = 0;  ///< rules evaluated so far by this island
  std::uint64_t feasible = 0;   ///< individuals of the population that meet all constraints
  std::vector<double> best;     ///< of each of all_maximized(), over the feasible; NaN if none
  std::vector<double> mean;     ///< likewise
  double mean_comparisons = 0;
};

/// Which run the bytes belong to; readable before the data are loaded.
struct RunStateHeader {
  CheckpointVersion version = CheckpointVersion::latest;
  Hash128 experiment;  ///< Experiment::hash()
  Fingerprint dataset;
  std::uint32_t generation = 0;
  double seconds = 0;      ///< spent by all jobs of the run so far
  std::uint32_t jobs = 0;  ///< jobs that have worked on it
  bool finished = false;
};

/// @param history  by generation, then island, and so afterwards
/// @param rows     in any order
void add_to_history(std::vector<HistoryRow>& history, std::vector<HistoryRow> rows);

struct RunState {
  RunStateHeader header;
  std::vector<IslandState> islands;  ///< by island
  Archive archive{Measure::leverage, 0};
  std::vector<HistoryRow> history;  ///< by generation, then island
};

Bytes encode(const RunState& state);
/// @throws BadBytes, also for a version newer than CheckpointVersion::latest
RunStateHeader decode_header(std::span<const std::byte> bytes);
/// @throws BadBytes if any part is malformed or not of these grammars
RunState decode_run_state(std::span<const std::byte> bytes, const IslandGrammars& grammars);

/// One individual, for migration between ranks: derivation and counts, without coverage hashes.
void encode(ByteWriter& out, const Individual& individual);
/// @throws BadBytes
Individual decode_individual(ByteReader& in, const BoundGrammar& grammar);

}  // namespace atl
