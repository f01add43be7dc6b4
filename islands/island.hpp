// What the island model knows of a search: islands that go on by themselves, individuals that
// travel as bytes, and results that can be merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "islands/migrant.hpp"
#include "islands/phase_times.hpp"
#include "src/core/bytes.hpp"
#include "src/results/history.hpp"

namespace atl {

/// The best that islands have found. For one thread at a time.
class Results {
 public:
  virtual ~Results() = default;

  virtual std::size_t size() const = 0;
  /// Of each of the experiment's all_maximized() the greatest value; NaN if none exists.
  virtual std::vector<double> best() const = 0;
  virtual std::uint32_t version() const = 0;  ///< of what save() writes
  virtual void save(ByteWriter& out) const = 0;
  /// Takes in what results of the same experiment have saved. The order of mergers does not matter.
  /// @throws BadBytes if it is malformed or of another experiment
  virtual void merge(ByteReader& in) = 0;
};

enum class Step { waits, done };

/// One population of any algorithm. For one thread at a time, while others have other islands.
class Island {
 public:
  virtual ~Island() = default;

  /// Works on until the island waits for what it has handed to its device, or its generation is
  /// done. A generation may wait any number of times. The first is generation 0; the call after one
  /// that was done begins the next.
  /// @param spent  the time that it took is added to its phases
  virtual Step advance(PhaseTimes& spent) = 0;
  /// Would advance() go on without blocking? Cheap. @pre the island waits
  virtual bool ready() const = 0;

  // The rest is for an island whose generation is done.

  virtual HistoryRow summary() const = 0;  ///< of the generation
  /// Offers what the generation has found. @param results  of the same search
  virtual void offer(Results& results) const = 0;
  /// At most so many individuals to send to other islands, which leave this one if the experiment
  /// says so.
  virtual std::vector<Migrant> emigrants(std::size_t most) = 0;
  /// Takes individuals of other islands in.
  /// @return what became of each. @throws BadBytes if one is malformed
  virtual std::vector<Move> immigrate(std::span<const Migrant> migrants) = 0;

  virtual std::uint32_t version() const = 0;  ///< of what save() writes
  virtual void save(ByteWriter& out) const = 0;
  /// Goes on from what an island of this number has saved, instead of beginning with generation 0.
  /// @param last  its summary() then
  /// @throws BadBytes if it is malformed or not of this experiment
  virtual void load(ByteReader& in, const HistoryRow& last) = 0;
};

}  // namespace atl
