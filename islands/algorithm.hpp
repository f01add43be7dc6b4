// The interface of an algorithm that runs on islands of rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "islands/archipelago/island.hpp"
#include "islands/archipelago/migration.hpp"
#include "islands/population.hpp"
#include "islands/rule_bytes.hpp"
#include "src/config/experiment.hpp"
#include "src/core/random.hpp"
#include "src/data/dataset.hpp"
#include "src/eval/device.hpp"
#include "src/measures/measure.hpp"

namespace atl {

/// The offspring of an island in one generation. No two rules in it are equal.
struct Offspring {
  std::vector<Individual> known;  ///< their rules are on the island already; statistics included
  std::vector<Individual> fresh;  ///< to be evaluated
};

/// Takes an individual that may enter the archive.
/// @param bucket  becomes RuleRecord::bucket
using Offer = std::function<void(const Individual&, std::uint32_t bucket)>;

/// An evolutionary algorithm for one island; each island has its own. Whatever one generation hands
/// to the next is in the IslandState or in what save() writes. Beside that an algorithm keeps
/// nothing but scratch memory, what complete() computes and, while breed() waits, the generation
/// under way. Draws are keyed by (seed, island, generation, slot).
class Algorithm {
 public:
  virtual ~Algorithm() = default;

  /// The state that it keeps from one generation to the next beside the population. An algorithm
  /// that keeps nothing leaves these three as they are.
  virtual OwnState save() const { return {}; }
  /// Takes up what save() returned. @throws BadBytes, and nothing is changed
  virtual void load(const OwnState& own) { (void)individuals_in(own); }
  /// The evaluated individuals in what save() returned, so that their counts can be checked before
  /// load(). @throws BadBytes if it is malformed or not of this experiment
  virtual std::vector<Individual> individuals_in(const OwnState& own) const {
    require_bytes(own == OwnState(), "an algorithm that keeps nothing has kept something");
    return {};
  }
  /// Computes anew what a decoded state does not hold.
  virtual void complete(IslandState&) {}
  /// Options for the counting of the island's rules.
  virtual CountingOptions options() const = 0;
  /// Makes as many offspring as the population has individuals, or fewer if the grammar yields no
  /// more distinct rules. Returns `waits` when it has handed something to the device: the next
  /// call, with the same arguments, blocks until that is there and goes on.
  /// @pre generation is 0, or the state holds an evaluated population
  /// @param offspring  holds those of a former generation, whose memory is reused; overwritten
  virtual Step breed(IslandState& state, std::uint32_t generation, Offspring& offspring) = 0;
  /// False while breed(), which waits, would certainly block. Cheap.
  virtual bool ready() const { return true; }
  /// Seconds that breed() has spent so far on fitting comparisons to rows.
  virtual double fit_seconds() const { return 0; }
  /// Makes the next population from the state and the offspring, at most as large as the experiment
  /// says; from an empty state, the first one.
  /// @param offspring  evaluated; unspecified afterwards
  /// @param offer  called with those that may enter the archive: they meet the constraints
  virtual void replace(IslandState& state, Offspring& offspring, std::uint32_t generation,
                       const Offer& offer) = 0;
  /// Chooses `count` different slots, or all if there are fewer. They are sent in this order.
  virtual std::vector<std::size_t> emigrants(const IslandState& state, std::size_t count,
                                             RandomStream& stream) = 0;
  /// Removes individuals; the others keep their order.
  /// @param slots  ascending, never all of them
  virtual void remove(IslandState& state, std::span<const std::size_t> slots) = 0;
  /// Adds evaluated individuals from other islands, except those whose rule is already there. They
  /// take free places first and then the places of others.
  /// @return the place that each took, or Move::nowhere, before the population is ranked anew
  virtual std::vector<std::uint32_t> immigrate(IslandState& state,
                                               std::span<const Individual* const> immigrants,
                                               std::uint32_t generation) = 0;
  /// May an individual of the population be a result?
  virtual bool admits(const Individual& individual) const = 0;
  /// Measures whose values it keeps beside each individual that it has taken or offers.
  virtual std::span<const Measure> measures() const { return {}; }
};

}  // namespace atl
