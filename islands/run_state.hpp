// Everything a run needs to go on as if it had never stopped, and its bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "islands/individual.hpp"
#include "src/core/bytes.hpp"
#include "src/core/hash.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/results/archive.hpp"
#include "src/results/history.hpp"
#include "src/sampling/coverage_table.hpp"

namespace atl {

/// Append only: a number once used keeps its meaning.
enum class CheckpointVersion : std::uint32_t {
  initial = 1,
  coverage_niches = 2,
  numeric_targets = 3,
  buckets = 4,
  latest = buckets
};

struct IslandState {
  std::uint32_t island = 0;
  std::vector<Individual> population;  ///< evaluated, in slot order
  std::vector<Individual> pool;        ///< g3parm's pool of good rules; empty for others
  // niching's, empty for others
  std::vector<double> success;         ///< [operations] share of an operation's children that won
  std::vector<std::uint32_t> covered;  ///< [rows of the sample] good rules of former populations
  std::uint32_t replaced = 0;          ///< since stagnation was last looked for
  bool stagnant = false;               ///< the next generation begins anew
  CoverageTable coverage;              ///< of the population; computed, not in the bytes
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
