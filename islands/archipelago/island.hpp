// The parts of a search that the island model knows: islands that go on by themselves, individuals
// that travel as bytes, and results that can be merged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "islands/archipelago/migration.hpp"
#include "src/core/bytes.hpp"
#include "src/results/written/history.hpp"

namespace atl {

/// Seconds since the start of the job, by what this rank's threads did or waited for: the mean of
/// those that have islands.
struct PhaseTimes {
  double breed = 0;        ///< selection, crossover, mutation, preparing batches
  double fit = 0;          ///< part of breeding that looks at rows
  double evaluate = 0;     ///< starting batches, and evaluating them or waiting for the device
  double replacement = 0;  ///< reading counts, constraints, sorting, the next population, archive
  double idle = 0;      ///< without an island, until the last has come to the same generation; here
                        ///< of this rank, a job adds what it waits for others
  double exchange = 0;  ///< migration and other communication
};

struct Phase {
  const char* name;
  double PhaseTimes::*seconds;
};
inline constexpr std::array<Phase, 6> phases{{{"breed", &PhaseTimes::breed},
                                              {"fit", &PhaseTimes::fit},
                                              {"evaluate", &PhaseTimes::evaluate},
                                              {"replacement", &PhaseTimes::replacement},
                                              {"idle", &PhaseTimes::idle},
                                              {"exchange", &PhaseTimes::exchange}}};

/// The best results that islands have found. Any thread may use them at any time.
class Results {
 public:
  virtual ~Results() = default;

  virtual std::size_t size() const = 0;
  /// The greatest value of each of the experiment's all_maximized(); NaN where none exists.
  virtual std::vector<double> best() const = 0;
  virtual std::uint32_t version() const = 0;  ///< of the format that save() writes
  virtual void save(ByteWriter& out) const = 0;
  /// Takes in what results of the same experiment have saved. The order of mergers does not matter.
  /// @throws BadBytes if it is malformed or of another experiment
  virtual void merge(ByteReader& in) = 0;
};

/// The reason why advance() returned: the island waits for its device; its numbers are to be added
/// up over the ranks of its team (Island::numbers()); or its generation is done.
enum class Step { waits, adds, done };

/// One population of any algorithm. One thread at a time may use an island; other threads may use
/// other islands meanwhile.
class Island {
 public:
  virtual ~Island() = default;

  /// Works on until the island waits for what it has handed to its device, or its generation is
  /// done. A generation may wait any number of times; in a team it adds numbers up once. The first
  /// is generation 0; the call after one that was done begins the next.
  /// @param spent  the time that it took is added to its phases
  virtual Step advance(PhaseTimes& spent) = 0;
  /// May the caller go on with advance()? False while it would certainly block. True promises
  /// nothing: an island that cannot tell returns true. Cheap. @pre the island waits
  virtual bool ready() const = 0;
  /// The numbers that it has counted on its part. Before the next advance() each number is
  /// overwritten by the sum over the members of its team. @pre its step is Step::adds
  virtual std::span<std::uint64_t> numbers() { return {}; }

  // summary() to save() need an island whose generation is done.

  virtual HistoryRow summary() const = 0;  ///< of the generation
  /// Offers what the generation has found.
  /// @param results  of the same search; the same at every call, as the island may ask them
  ///                 meanwhile what is worth keeping. Must outlive its last advance()
  virtual void offer(Results& results) = 0;
  /// Chooses at most `most` individuals to send. If the experiment's emigration is `move`, they
  /// leave this island.
  virtual std::vector<Migrant> emigrants(std::size_t most) = 0;
  /// Takes individuals of other islands in.
  /// @return what became of each. @throws BadBytes if one is malformed
  virtual std::vector<Move> immigrate(std::span<const Migrant> migrants) = 0;

  virtual std::uint32_t version() const = 0;  ///< of the format that save() writes
  virtual void save(ByteWriter& out) const = 0;
  /// Restores what an island of the same number saved, on an island that has not advanced yet.
  /// @param last  the summary() that belongs to the saved state
  /// @throws BadBytes if it is malformed or not of this experiment
  virtual void load(ByteReader& in, const HistoryRow& last) = 0;
};

}  // namespace atl
